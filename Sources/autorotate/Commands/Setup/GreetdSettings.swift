// SPDX-License-Identifier: MIT

/// greetd's settings file. Adds a wrapper to the command of the login screen, or removes it. All other bytes stay
/// unchanged.
///
/// Not read by the TOML parser: greetd accepts more, such as texts without quotes, and a wrapper that remains after
/// autorotate is removed keeps the login screen from starting.
struct GreetdSettings {
  let bytes: [UInt8]
  let wrapper: String

  /// The command of the login screen, as written; `nil` if there is none.
  var command: String? { commandRange.map { String(decoding: bytes[$0], as: UTF8.self) } }

  var isWrapped: Bool { wrapperRange != nil }

  /// `nil` if the compositor's own configuration starts the greeter.
  var wrapped: [UInt8]? {
    if isWrapped { return bytes }
    guard let commandRange, let greeter = Self.greeter(in: bytes[commandRange]) else { return nil }
    return Array(bytes[..<greeter] + Array("\(wrapper) ".utf8) + bytes[greeter...])
  }

  var unwrapped: [UInt8] {
    guard let range = wrapperRange else { return bytes }
    return Array(bytes[..<range.lowerBound] + bytes[range.upperBound...])
  }

  /// At the start of a word, in any place where an administrator may have put it: the path may end another one, too.
  private var wrapperRange: Range<Int>? {
    guard let commandRange else { return nil }
    let words = Array("\(wrapper) ".utf8)
    let start = commandRange.first {
      bytes[$0..<commandRange.upperBound].starts(with: words) && " \t\"'".utf8.contains(bytes[$0 - 1])
    }
    return start.map { $0..<$0 + words.count }
  }

  /// The command, without its quotes.
  private var commandRange: Range<Int>? {
    var isInSection = false
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop(while: \.isBlank)
      if text.first == UInt8(ascii: "[") {
        isInSection = Self.isHeader(text)
      } else if isInSection, let value = Self.string("command", in: text) {
        return value
      }
    }
    return nil
  }

  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let header = line.prefix { $0 != UInt8(ascii: "#") }.filter { !$0.isBlank }
    return header == Array("[default_session]".utf8)
  }
}

/// The lines of the file, and the command of a login screen.
extension GreetdSettings {
  /// The value of a line of TOML, without its quotes; `nil` for another key, or if it is not a string on one line.
  private static func string(_ key: String, in line: ArraySlice<UInt8>) -> Range<Int>? {
    guard line.starts(with: key.utf8) else { return nil }
    var rest = line.dropFirst(key.utf8.count).drop(while: \.isBlank)
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().drop(while: \.isBlank)
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    let text = rest.dropFirst()
    guard !text.starts(with: [quote, quote]), let end = end(of: text, quote) else { return nil }
    let after = line[(end + 1)...].first { !$0.isBlank }
    return after == nil || after == UInt8(ascii: "#") ? text.startIndex..<end : nil
  }

  /// A backslash escapes a quote, but not in a string with single quotes.
  private static func end(of text: ArraySlice<UInt8>, _ quote: UInt8) -> Int? {
    var isEscaped = false
    for index in text.indices {
      if isEscaped {
        isEscaped = false
      } else if text[index] == quote {
        return index
      } else {
        isEscaped = text[index] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
      }
    }
    return nil
  }

  /// Where the greeter begins: behind a compositor and two dashes, or with a program that starts both. Dashes in shell
  /// quotes are part of a word.
  private static func greeter(in command: ArraySlice<UInt8>) -> Int? {
    let program = command.split(separator: UInt8(ascii: " ")).first?.split(separator: UInt8(ascii: "/")).last
    if starters.contains(String(decoding: program ?? [], as: UTF8.self)) { return command.startIndex }
    let dashes = Array(" -- ".utf8)
    var quote: UInt8?
    for index in command.indices {
      let byte = command[index]
      if quote == nil, command[index...].starts(with: dashes) { return index + dashes.count }
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
    }
    return nil
  }

  /// Of cosmic-greeter and phrog. autorotate waits for the compositor that they start.
  private static let starters = ["cosmic-greeter-start", "phrog-greetd-session"]
}

extension UInt8 {
  fileprivate var isBlank: Bool {
    [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(self)
  }
}
