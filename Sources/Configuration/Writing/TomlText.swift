// SPDX-License-Identifier: MIT

import Autorotation
import System

/// A TOML text for one change, only at the places found by the parser.
struct TomlText {
  private var scalars: [Unicode.Scalar]
  private let entries: [TomlEntry]

  /// - Returns: `nil` if it is not TOML.
  init?(_ bytes: [UInt8]) {
    guard let entries = try? TomlDocument.parse(bytes) else { return nil }
    self.entries = entries
    scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  var bytes: [UInt8] { Array(String(String.UnicodeScalarView(scalars)).utf8) }

  /// - Parameters:
  ///   - section: empty for a key outside of all sections.
  ///   - literal: `nil` to remove the key.
  mutating func set(_ key: String, in section: String, to literal: String?) {
    guard let literal else { return remove(key, in: section) }
    let assignment = "\(key) = \(literal)"
    if let member = member(key, in: section) {
      replaceValue(of: member, literal)
    } else if section.isEmpty {
      addAtTop(assignment, key, below: entries.last)
    } else if let (table, members) = table(section) {
      add(assignment, key, to: table, isEmpty: members.isEmpty)
    } else {
      append(["[\(section)]", assignment])
    }
  }

  /// Comments of the assignment stay in its place. A section that is empty then is removed.
  private mutating func remove(_ key: String, in section: String) {
    guard let member = member(key, in: section) else { return }
    guard let (table, members) = table(section) else { return removeLine(of: member) }
    let bracket = scalar(at: start(of: table.node))
    if bracket == "{" {
      removeFromBraces(member, members)
    } else {
      removeLine(of: member)
      if bracket == "[", members.count == 1 { removeHeader(on: table.node.place.line) }
    }
  }

  private func member(_ key: String, in section: String) -> TomlEntry? {
    let members = section.isEmpty ? entries : table(section)?.members
    return members?.first { $0.key == key }
  }

  private func table(_ section: String) -> (table: TomlEntry, members: [TomlEntry])? {
    guard let table = entries.first(where: { $0.key == section }), case .table(let members) = table.node.value
    else { return nil }
    return (table, members)
  }

  // MARK: Values

  private mutating func replaceValue(of member: TomlEntry, _ literal: String) {
    let kept = comments(in: member.node)
    replace(range(of: member.node), literal)
    let line = offset(member.keyPlace.line, 1)
    replace(line..<line, kept.map { indent(at: line) + $0 + lineEnd }.joined())
  }

  private mutating func removeLine(of member: TomlEntry) {
    let kept = comments(in: member.node)
    let first = offset(member.keyPlace.line, 1)
    let range = range(of: member.node)
    var end = scalars[range.upperBound...].firstIndex(of: "\n") ?? scalars.count
    let following = String(String.UnicodeScalarView(scalars[range.upperBound..<end])).drop { $0 != "#" }
    let remaining = kept + (following.isEmpty ? [] : [following.trimmed])
    let margin = indent(at: first)
    if end < scalars.count { end += 1 }
    replace(first..<end, remaining.map { margin + $0 + lineEnd }.joined())
  }

  /// Removes the header of a section without keys, if there are no comments either.
  private mutating func removeHeader(on number: Int) {
    let lines = lines
    guard lines.indices.contains(number - 1), !lines[number - 1].contains("#") else { return }
    let rest = lines.dropFirst(number).prefix { $0.first { $0 != " " && $0 != "\t" } != "[" }
    guard rest.allSatisfy({ $0.allSatisfy(\.properties.isWhitespace) }) else { return }
    replace(offset(number, 1)..<offset(number + rest.count + 1, 1), "")
  }

  /// Removes from an inline table, which is on one line.
  private mutating func removeFromBraces(_ member: TomlEntry, _ members: [TomlEntry]) {
    guard let index = members.firstIndex(where: { $0.keyPlace == member.keyPlace }) else { return }
    let key = offset(member.keyPlace.line, member.keyPlace.column)
    if index + 1 < members.count {
      let next = members[index + 1].keyPlace
      replace(key..<offset(next.line, next.column), "")
    } else if index > 0 {
      replace(range(of: members[index - 1].node).upperBound..<range(of: member.node).upperBound, "")
    } else {
      replace(key..<range(of: member.node).upperBound, "")
    }
  }

  /// The comments between the elements of a list over several lines.
  private func comments(in node: TomlNode) -> [String] {
    guard case .array(let elements) = node.value, node.place.endLine > node.place.line else { return [] }
    let whole = range(of: node)
    let inner = elements.map(range)
    let starts = [whole.lowerBound] + inner.map(\.upperBound)
    let ends = inner.map(\.lowerBound) + [whole.upperBound]
    return zip(starts, ends).filter { $0 < $1 }.flatMap { start, end in
      scalars[start..<end].split(separator: "\n").compactMap { line in
        let comment = String(String.UnicodeScalarView(line.drop { $0 != "#" })).trimmed
        return comment.isEmpty ? nil : comment
      }
    }
  }

  private func indent(at start: Int) -> String {
    String(String.UnicodeScalarView(scalars[start...].prefix { $0 == " " || $0 == "\t" }))
  }

  // MARK: New lines

  private mutating func addAtTop(_ assignment: String, _ key: String, below last: TomlEntry?) {
    guard let last else { return append([assignment]) }
    let commented = line(ofKey: key, inSectionAt: 0)
    insertLine(assignment, below: commented > 0 ? commented : last.node.place.endLine)
  }

  /// Adds to a section, inline table or dotted keys.
  private mutating func add(_ assignment: String, _ key: String, to table: TomlEntry, isEmpty: Bool) {
    let start = start(of: table.node)
    switch scalar(at: start) {
    case "{":
      let inside = isEmpty ? " \(assignment) " : " \(assignment),"
      replace(start + 1..<start + 1, inside)
    case "[":
      let header = table.node.place.line
      insertLine(assignment, below: line(ofKey: key, inSectionAt: header))
    default: insertLine("\(table.key).\(assignment)", below: table.keyPlace.line - 1)
    }
  }

  /// The line of the section where the key is commented out, or else the section's first line.
  private func line(ofKey key: String, inSectionAt header: Int) -> Int {
    var number = header
    for line in lines.dropFirst(header) {
      number += 1
      let words = line.drop { $0 == " " || $0 == "\t" }
      if words.first == "[" { break }
      let rest = words.drop { $0 == "#" || $0 == " " }
      guard words.first == "#", rest.starts(with: key.unicodeScalars) else { continue }
      let following = rest.dropFirst(key.unicodeScalars.count).drop { $0 == " " }
      if following.first == "=" { return number }
    }
    return header
  }

  private mutating func append(_ added: [String]) {
    var text = ""
    if let last = scalars.last {
      text = (last == "\n" ? "" : lineEnd) + (added.count > 1 ? lineEnd : "")
    }
    for line in added { text += line + lineEnd }
    scalars += text.unicodeScalars
  }

  /// - Parameter number: 0 for the top.
  private mutating func insertLine(_ line: String, below number: Int) {
    let above = lines.prefix(number)
    let isLast = above.count == lines.count
    var start = min(scalars.count, above.reduce(0) { $0 + $1.count + 1 })
    // A byte order mark stays first.
    if start == 0, scalars.first == "\u{FEFF}" { start = 1 }
    replace(start..<start, isLast ? lineEnd + line : line + lineEnd)
  }

  // MARK: Places

  private var lines: [ArraySlice<Unicode.Scalar>] {
    scalars.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private var lineEnd: String {
    let end = scalars.firstIndex(of: "\n")
    return end.map { $0 > 0 && scalars[$0 - 1] == "\r" } == true ? "\r\n" : "\n"
  }

  private mutating func replace(_ range: Range<Int>, _ text: String) {
    scalars.replaceSubrange(range, with: text.unicodeScalars)
  }

  private func scalar(at offset: Int) -> Unicode.Scalar {
    scalars.indices.contains(offset) ? scalars[offset] : " "
  }

  private func start(of node: TomlNode) -> Int { offset(node.place.line, node.place.column) }

  private func range(of node: TomlNode) -> Range<Int> {
    let start = start(of: node)
    return start..<max(start, offset(node.place.endLine, node.place.endColumn))
  }

  /// The offset of a line and column, both counted from 1.
  private func offset(_ line: Int, _ column: Int) -> Int {
    let mark = line == 1 && scalars.first == "\u{FEFF}" ? 1 : 0
    let start = lines.prefix(line - 1).reduce(0) { $0 + $1.count + 1 }
    return min(scalars.count, max(0, start + mark + column - 1))
  }
}

/// How a value is written.
enum TomlLiteral {
  /// The escapes of JSON are among those of TOML.
  static func text(_ text: String) -> String { JSON.string(text).description }

  static func list(_ texts: [String]) -> String { "[" + texts.map(text).joined(separator: ", ") + "]" }
}
