// SPDX-License-Identifier: MIT

/// The options that earlier releases had instead of sub-commands.
enum EarlierOptions {
  static let subcommands = [
    "--lock": "lock", "--unlock": "unlock", "--toggle-lock": "toggle", "--rotate": "rotate", "--hold": "hold",
    "--release": "release", "--posture": "posture", "--quit": "quit", "--status": "status",
  ]

  /// `--lock left` becomes `lock left`, and `--output DP-1 --rotate=left` becomes `rotate --output DP-1 left`.
  /// - Parameter words: the command line without the program's name.
  static func rewritten(_ words: [String]) -> [String] {
    guard words.first?.hasPrefix("-") == true else { return words }
    for (index, word) in words.prefix(while: { $0 != "--" }).enumerated() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let subcommand = subcommands[parts[0]] else { continue }
      return [subcommand] + words[..<index] + parts.dropFirst() + words[(index + 1)...]
    }
    return words
  }
}
