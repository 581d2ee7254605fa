// SPDX-License-Identifier: MIT

package import Autorotation

/// Changes one setting in the text of a config.toml, and leaves the rest as it is.
package enum SettingsEdit {
  package enum Failure: Error, Equatable {
    /// What is wrong with the file as it is.
    case broken([Diagnostic])
    /// The file is right, but written in a way that cannot be edited safely.
    case unusual
  }

  /// - Parameter bytes: the file's; empty if there is none.
  package static func settingMountMatrix(
    _ matrix: MountMatrix, in bytes: [UInt8], path: String
  ) throws(Failure) -> [UInt8] {
    try setting(\.machine.mountMatrix, to: "\"\(matrix.text)\"", bytes, path)
  }

  package static func settingTakeOver(in bytes: [UInt8], path: String) throws(Failure) -> [UInt8] {
    try setting(\.machine.takesOver, to: "true", bytes, path)
  }

  private static func setting(
    _ keyPath: PartialKeyPath<Configuration>, to literal: String, _ bytes: [UInt8], _ path: String
  ) throws(Failure) -> [UInt8] {
    guard let key = Configuration.keys.first(where: { $0.path == keyPath }) else { throw .unusual }
    let old = read(bytes, path)
    let errors = old.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty, let entries = try? TomlDocument.parse(bytes) else { throw .broken(errors) }
    var text = EditedText(bytes)
    text.set(key.name, in: key.section, to: literal, entries)
    let new = read(text.bytes, path)
    guard !new.isBroken, others(new, key) == others(old, key), value(new, key) != nil else {
      throw .unusual
    }
    return text.bytes
  }

  private static func read(_ bytes: [UInt8], _ path: String) -> ReadFile {
    ReadFile(ConfigurationFile(path: path, kind: .settings, layer: .user, content: .bytes(bytes)))
  }

  private static func assignments(_ file: ReadFile) -> [Assignment] {
    if case .settings(let assignments) = file.contents { assignments } else { [] }
  }

  private static func others(_ file: ReadFile, _ key: Key<Configuration>) -> [Configuration] {
    assignments(file).filter { $0.key != key }.map(\.alone)
  }

  private static func value(_ file: ReadFile, _ key: Key<Configuration>) -> Configuration? {
    assignments(file).first { $0.key == key }?.alone
  }
}

/// A text that is changed at places that the TOML parser found.
private struct EditedText {
  private var scalars: [Unicode.Scalar]

  init(_ bytes: [UInt8]) {
    scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  var bytes: [UInt8] { Array(String(String.UnicodeScalarView(scalars)).utf8) }

  mutating func set(_ key: String, in section: String, to literal: String, _ entries: [TomlEntry]) {
    let assignment = "\(key) = \(literal)"
    guard let table = entries.first(where: { $0.key == section }), case .table(let members) = table.node.value
    else { return append(["[\(section)]", assignment]) }
    if let member = members.first(where: { $0.key == key }) {
      let place = member.node.place
      replace(offset(place.line, place.column)..<offset(place.endLine, place.endColumn), literal)
    } else {
      add(assignment, key, to: table, isEmpty: members.isEmpty)
    }
  }

  /// A section can be written in three ways.
  private mutating func add(_ assignment: String, _ key: String, to table: TomlEntry, isEmpty: Bool) {
    let start = offset(table.node.place.line, table.node.place.column)
    switch start < scalars.count ? scalars[start] : " " {
    case "{":
      let inside = isEmpty ? " \(assignment) " : " \(assignment),"
      replace(start + 1..<start + 1, inside)
    case "[":
      insertLine(assignment, below: line(ofKey: key, inSectionAt: table.node.place.line))
    default:
      insertLine("\(table.key).\(assignment)", below: table.keyPlace.line - 1)
    }
  }

  /// The line of the section where the key is commented out, else the section's first line.
  private func line(ofKey key: String, inSectionAt header: Int) -> Int {
    var number = header
    for line in lines.dropFirst(header) {
      number += 1
      let words = line.drop { $0 == " " || $0 == "\t" }
      if words.first == "[" { break }
      let rest = words.drop { $0 == "#" || $0 == " " }
      guard words.first == "#", rest.starts(with: key.unicodeScalars) else { continue }
      let behind = rest.dropFirst(key.unicodeScalars.count).drop { $0 == " " }
      if behind.first == "=" { return number }
    }
    return header
  }

  private var lines: [ArraySlice<Unicode.Scalar>] {
    scalars.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private var lineEnd: String {
    let end = scalars.firstIndex(of: "\n")
    return end.map { $0 > 0 && scalars[$0 - 1] == "\r" } == true ? "\r\n" : "\n"
  }

  private mutating func append(_ added: [String]) {
    var text = ""
    if let last = scalars.last {
      text = (last == "\n" ? "" : lineEnd) + lineEnd
    }
    for line in added { text += line + lineEnd }
    scalars += text.unicodeScalars
  }

  /// - Parameter number: 0 for the top.
  private mutating func insertLine(_ line: String, below number: Int) {
    let above = lines.prefix(number)
    let isLast = above.count == lines.count
    let start = min(scalars.count, above.reduce(0) { $0 + $1.count + 1 })
    replace(start..<start, isLast ? lineEnd + line : line + lineEnd)
  }

  private mutating func replace(_ range: Range<Int>, _ text: String) {
    scalars.replaceSubrange(range, with: text.unicodeScalars)
  }

  /// The offset of a line and column, both counted from 1.
  private func offset(_ line: Int, _ column: Int) -> Int {
    let mark = line == 1 && scalars.first == "\u{FEFF}" ? 1 : 0
    let start = lines.prefix(line - 1).reduce(0) { $0 + $1.count + 1 }
    return min(scalars.count, max(0, start + mark + column - 1))
  }
}
