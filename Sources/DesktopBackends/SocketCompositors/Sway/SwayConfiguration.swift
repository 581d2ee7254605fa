// SPDX-License-Identifier: MIT

/// The devices that the user's own sway configuration maps to an output: those are left alone.
///
/// sway returns the text of its main file, but not of included ones.
struct SwayConfiguration: Equatable {
  /// Identifiers, "type:touch" and the like, or "*".
  private(set) var mapped: Set<String> = []

  init() {}

  /// - Parameter text: as sway-input(5) describes it: `input NAME COMMAND`, or the commands in a block.
  init(_ text: String) {
    var block: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace).map { Self.unquoted($0) }
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      if first == "}" {
        block = nil
      } else if first == "input", words.count > 1 {
        if !Self.mappings.isDisjoint(with: words) { mapped.insert(words[1]) }
        if words.last?.hasSuffix("{") == true { block = words[1] }
      } else if let block, !Self.mappings.isDisjoint(with: words) {
        mapped.insert(block)
      }
    }
  }

  private static let mappings: Set = ["map_to_output", "map_to_region"]

  private static func unquoted(_ word: Substring) -> String {
    word.filter { $0 != "\"" && $0 != "'" }
  }

  func maps(_ input: SwayInput) -> Bool {
    !mapped.isDisjoint(with: [input.identifier, "type:\(input.type)", "*"])
  }
}
