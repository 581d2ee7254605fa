// SPDX-License-Identifier: MIT

/// What can be read of a file in which some lines are not TOML, so that all that is wrong can be said at once.
struct TomlSalvage {
  /// `nil` if nothing can be told apart.
  private(set) var entries: [TomlEntry]?
  private(set) var failures: [TomlFailure] = []

  private static let mostFailures = 20

  init(_ source: SourceText) {
    var bytes = source.bytes
    while failures.count < Self.mostFailures {
      do throws(TomlFailure) {
        entries = try TomlDocument.parse(bytes)
        return
      } catch {
        failures.append(error)
        guard Self.standsAlone(source.line(error.place.line), column: error.place.column) else { return }
        Self.blank(&bytes, line: error.place.line)
      }
    }
  }

  /// Whether the rest may well be right without this line: it is a key with a value, is wrong in the value,
  /// and the value does not go on below.
  private static func standsAlone(_ line: [Unicode.Scalar], column: Int) -> Bool {
    guard let equals = line.firstIndex(of: "="), equals + 1 < column else { return false }
    let value = line[(equals + 1)...].drop { $0 == " " || $0 == "\t" }
    switch value.first {
    case "[": return value.contains("]")
    case "{": return value.contains("}")
    default: return !value.starts(with: "\"\"\"".unicodeScalars) && !value.starts(with: "'''".unicodeScalars)
    }
  }

  private static func blank(_ bytes: inout [UInt8], line: Int) {
    let lines = bytes.split(separator: 0x0A, maxSplits: line, omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return }
    for index in lines[line - 1].indices { bytes[index] = 0x20 }
  }
}
