// SPDX-License-Identifier: MIT

/// greetd's one file of settings, in which the command of the login screen gets a wrapper or loses it.
struct GreetdSettings {
  static let path = "/etc/greetd/config.toml"

  let text: String
  let wrapper: String

  /// What starts the login screen; `nil` if nothing does.
  var command: String? { commandLine.flatMap { Self.value(in: lines[$0]) } }

  var isWrapped: Bool { command?.contains(wrapper) ?? false }

  /// - Returns: `nil` for a compositor that has its greeter in a file of its own.
  var wrapped: String? {
    guard let index = commandLine, !isWrapped else { return isWrapped ? text : nil }
    let line = lines[index]
    guard let dashes = Self.range(of: " -- ", in: line) else { return nil }
    return replacing(index, with: line[..<dashes.upperBound] + "\(wrapper) " + line[dashes.upperBound...])
  }

  var unwrapped: String {
    guard let index = commandLine, let range = Self.range(of: "\(wrapper) ", in: lines[index]) else {
      return text
    }
    return replacing(index, with: lines[index][..<range.lowerBound] + lines[index][range.upperBound...])
  }

  private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  private func replacing(_ index: Int, with line: some StringProtocol) -> String {
    var lines = lines.map(String.init)
    lines[index] = String(line)
    return lines.joined(separator: "\n")
  }

  private var commandLine: Int? {
    let lines = lines
    guard let section = lines.firstIndex(where: { Self.trimmed($0) == "[default_session]" }) else {
      return nil
    }
    let rest = lines[(section + 1)...].prefix { !Self.trimmed($0).hasPrefix("[") }
    return rest.indices.first { Self.value(in: lines[$0]) != nil }
  }

  private static func value(in line: Substring) -> String? {
    let parts = line.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, trimmed(parts[0]) == "command" else { return nil }
    return trimmed(parts[1]).trimmingPrefix("\"").split(separator: "\"").first.map(String.init)
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func range(of words: String, in line: Substring) -> Range<Substring.Index>? {
    line.firstRange(of: words)
  }
}
