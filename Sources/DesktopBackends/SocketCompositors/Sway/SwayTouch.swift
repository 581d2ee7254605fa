// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The touchscreens and pens that have to be mapped to their panel: sway rotates input with the output that a device
/// is mapped to, and stretches it over the whole layout otherwise.
struct SwayTouch {
  /// The connector names that sway takes for built-in panels.
  private static let builtIn = ["eDP-", "LVDS-", "DSI-"]

  /// The devices as udev describes them.
  let touchscreens: MappedTouchscreens
  var configuration = SwayConfiguration()
  var inputs: [SwayInput] = []
  /// The answer to `get_version`; `nil` until it is known.
  var version: JSONValue?

  /// Whether sway maps the built-in touchscreen itself. Since 1.7 it should, but before 1.10.1 it tested for a path
  /// that is `platform-…` and `pci-…` at once (its 39ddab8c8, 2024-11). A fork has its own numbers, and so counts as
  /// an old one.
  var mapsBuiltInTouchscreens: Bool {
    let numbers = ["major", "minor", "patch"].map { version?[$0]?.int ?? 0 }
    return !numbers.lexicographicallyPrecedes([1, 10, 1])
  }

  /// All devices, also those that should not follow the panel.
  func devices(among outputs: [Output], _ settings: DisplaySettings) -> [CompositorTouch.Device] {
    let known = touchscreens.devices()
    let builtIn = outputs.count { output in Self.builtIn.contains(where: output.name.hasPrefix) }
    let detectsPanel = builtIn == 1 && mapsBuiltInTouchscreens
    let placement = TouchPlacement(outputs: outputs, settings: settings)
    return inputs.map { input in
      let named = known.filter { $0.name == input.name }
      let isDetected = detectsPanel && named.contains { $0.isWiredIn && $0.isDirect }
      let (place, follows) = mapping(of: input, named, placement, settings, isDetected: isDetected)
      let map = { (output: String) in
        SwayMessage(.runCommand, "input \"\(input.identifier)\" map_to_output \(output)")
      }
      let output = place?.output
      let command = input.command("map_to_output \"\(output ?? "")\"")
      return CompositorTouch.Device(
        identifier: input.identifier, name: input.name, place: place,
        request: output.map { map("\"\($0)\"") }, release: map("*"),
        next: "try `\(command)`", follows: follows)
    }
  }

  /// - Parameters:
  ///   - known: the kernel devices of this name; sway cannot distinguish them.
  ///   - isDetected: whether sway itself detects that one of them belongs to the panel.
  /// - Returns: where autorotate has to map it, and doctor's finding if it follows its output.
  private func mapping(
    of input: SwayInput, _ known: [MappedTouchscreens.Device], _ placement: TouchPlacement,
    _ settings: DisplaySettings, isDetected: Bool
  ) -> (TouchPlacement.Place?, Message?) {
    guard input.isWanted(by: settings) else { return (nil, nil) }
    if configuration.maps(input) {
      return (nil, Message(.touchFollows, "“\(input.name)” is mapped by the sway configuration"))
    }
    let names = [input.name, input.identifier]
    let isMapped = !known.isEmpty && known.allSatisfy { $0.output != nil }
    // By WL_OUTPUT, or (since 1.10.1) a built-in touchscreen to the one built-in output.
    if isMapped || isDetected, !settings.touchMap.names(names) {
      return (nil, Message(.touchFollows, "“\(input.name)” is mapped to its output by sway itself"))
    }
    let place = placement.place(of: known, named: names)
    let what: Phrase = "“\(input.name)” is mapped to \(place.output ?? "") while autorotate runs"
    return (place, Message(.touchFollows, what))
  }
}

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
