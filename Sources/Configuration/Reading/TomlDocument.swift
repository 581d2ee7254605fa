// SPDX-License-Identifier: MIT

import Autorotation
import CToml

struct TomlNode {
  var value: TomlValue
  var place: SourcePlace
}

enum TomlValue {
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  /// A date, a time or both; not valid for any setting.
  case time
  case array([TomlNode])
  case table([TomlEntry])

  /// Whether it is written as a section: [x] or [[x]].
  var isSection: Bool {
    switch self {
    case .table: true
    case .array(let nodes): if case .table = nodes.first?.value { true } else { false }
    default: false
    }
  }

  /// Shown to the user.
  var kind: Phrase {
    switch self {
    case .text: "text"
    case .integer, .number: "a number"
    case .boolean(let value): "\(value)"
    case .time: "a date or time"
    case .array: "a list"
    case .table: "a table"
    }
  }
}

struct TomlEntry {
  var key: String
  var keyPlace: SourcePlace
  var node: TomlNode
}

/// Why a file is not TOML.
struct TomlFailure: Error {
  var message: String
  var place: SourcePlace
}

enum TomlDocument {
  /// - Returns: the entries of the root in the order of the file.
  static func parse(_ bytes: [UInt8]) throws(TomlFailure) -> [TomlEntry] {
    var builder = TomlBuilder()
    var failure = ctoml_failure()
    let isToml = bytes.withUnsafeBytes { bytes in
      withUnsafeMutablePointer(to: &builder) { builder in
        let text = bytes.assumingMemoryBound(to: CChar.self)
        return ctoml_parse(text.baseAddress, text.count, TomlBuilder.visit, builder, &failure)
      }
    }
    guard isToml else { throw TomlFailure(message: text(of: failure), place: SourcePlace(failure.place)) }
    return builder.root
  }

  private static func text(of failure: ctoml_failure) -> String {
    withUnsafeBytes(of: failure.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Builds the document from the pieces that the C parser reports.
private struct TomlBuilder {
  private(set) var root: [TomlEntry] = []
  /// The arrays and tables that have not ended yet, with their contents so far. The elements of an array have no key.
  private var open: [(entry: TomlEntry, contents: [TomlEntry])] = []

  static let visit: ctoml_visitor = { context, piece in
    guard let piece else { return }
    context?.assumingMemoryBound(to: Self.self).pointee.add(piece.pointee)
  }

  private mutating func add(_ piece: ctoml_piece) {
    switch piece.kind {
    case CTOML_ARRAY: open.append((Self.entry(piece, .array([])), []))
    case CTOML_TABLE: open.append((Self.entry(piece, .table([])), []))
    case CTOML_END: close()
    default: append(Self.entry(piece, Self.scalar(piece)))
    }
  }

  private mutating func close() {
    guard var (entry, contents) = open.popLast() else { return }
    if case .array = entry.node.value {
      entry.node.value = .array(contents.map(\.node))
    } else {
      contents.sort { $0.keyPlace.isBefore($1.keyPlace) }
      entry.node.value = .table(contents)
    }
    if open.isEmpty { root = contents } else { append(entry) }
  }

  private mutating func append(_ entry: TomlEntry) {
    guard let last = open.indices.last else { return }
    open[last].contents.append(entry)
  }

  private static func entry(_ piece: ctoml_piece, _ value: TomlValue) -> TomlEntry {
    TomlEntry(
      key: piece.key.map { string($0, piece.key_length) } ?? "", keyPlace: SourcePlace(piece.key_place),
      node: TomlNode(value: value, place: SourcePlace(piece.place)))
  }

  private static func scalar(_ piece: ctoml_piece) -> TomlValue {
    switch piece.kind {
    case CTOML_STRING: .text(string(piece.text, piece.text_length))
    case CTOML_INTEGER: .integer(piece.integer)
    case CTOML_FLOAT: .number(piece.number)
    case CTOML_BOOLEAN: .boolean(piece.boolean)
    default: .time
    }
  }

  private static func string(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
  }
}

extension SourcePlace {
  fileprivate init(_ place: ctoml_place) {
    self.init(
      line: Int(place.line), column: Int(place.column),
      endLine: Int(place.end_line), endColumn: Int(place.end_column))
  }
}

/// A range of a file. Lines and columns count from 1, a column is one Unicode scalar, and the end is exclusive.
package struct SourcePlace: Equatable, Sendable {
  package var line: Int
  package var column: Int
  package var endLine: Int
  package var endColumn: Int

  func isBefore(_ other: Self) -> Bool { (line, column) < (other.line, other.column) }
}

/// Parses a file without its invalid lines, so that all errors can be reported at once.
struct TomlRecovery {
  /// `nil` if the other lines cannot be parsed either.
  private(set) var entries: [TomlEntry]?
  private(set) var failures: [TomlFailure] = []

  private static let maximumFailures = 20

  init(_ file: ConfigurationFile) {
    var bytes = file.bytes
    while failures.count < Self.maximumFailures {
      do throws(TomlFailure) {
        entries = try TomlDocument.parse(bytes)
        return
      } catch {
        failures.append(error)
        guard Self.isRemovable(file.line(error.place.line), column: error.place.column) else { return }
        Self.blank(&bytes, line: error.place.line)
      }
    }
  }

  /// Whether the rest may be parsed without this line: it is a key with a value, the error is in the value, and
  /// the value does not continue on the next line.
  private static func isRemovable(_ line: [Unicode.Scalar], column: Int) -> Bool {
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
