// SPDX-License-Identifier: MIT

// The standard library's functions of these names belong to its regular expressions, which take 1.5 MB of a program and
// 0.06 MB of memory. They also compare whole characters: a quote with a combining mark would be no quote.
nonisolated extension Substring {
  /// The first occurrence, byte by byte in UTF-8.
  /// - Parameter text: at least one character.
  package func firstRange(of text: String) -> Range<Index>? {
    let bytes = text.utf8
    guard let start = utf8.indices.first(where: { utf8[$0...].starts(with: bytes) }) else { return nil }
    return start..<utf8.index(start, offsetBy: bytes.count)
  }
}

nonisolated extension StringProtocol {
  // By a concrete type: generic code outside its module is ten times slower.

  /// - Parameter text: at least one character.
  package func contains(_ text: String) -> Bool { Substring(self).firstRange(of: text) != nil }

  /// The parts between the occurrences of `text`, with empty ones.
  /// - Parameter text: at least one character.
  package func components(separatedBy text: String) -> [Substring] {
    var (parts, rest) = ([Substring](), Substring(self))
    while let found = rest.firstRange(of: text) {
      parts.append(rest[..<found.lowerBound])
      rest = rest[found.upperBound...]
    }
    return parts + [rest]
  }

  /// - Parameter text: at least one character.
  package func replacing(_ text: String, with replacement: String) -> String {
    components(separatedBy: text).joined(separator: replacement)
  }
}
