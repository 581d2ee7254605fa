// SPDX-License-Identifier: MIT

/// A state file with one line per name, such as the rotation of each monitor: the name and one word ("DP-1 left"). The
/// file exists only while there are any. Invalid lines are skipped.
nonisolated package struct StateTable<Value> {
  package private(set) var values: [String: Value]
  private let file: StateFile
  private let word: (Value) -> String

  /// - Parameters:
  ///   - value: the value of a word; `nil` if it is invalid.
  ///   - word: the word for a value.
  package init(_ file: StateFile, value: (String) -> Value?, word: @escaping (Value) -> String) {
    self.file = file
    self.word = word
    values = Dictionary(file.lines.compactMap { Self.row($0, value) }) { _, last in last }
  }

  package subscript(name: String) -> Value? { values[name] }

  package var names: [String] { values.keys.sorted() }

  /// - Throws: `SystemError` if writing fails; then the value is kept only until the end of the process.
  package mutating func keep(_ value: Value, for name: String) throws(SystemError) {
    values[name] = value
    try write()
  }

  package mutating func forget(_ name: String) {
    if values.removeValue(forKey: name) != nil { try? write() }
  }

  /// Replaces all values.
  package mutating func keep(_ values: [String: Value]) throws(SystemError) {
    self.values = values
    try write()
  }

  private func write() throws(SystemError) {
    try file.write(lines: values.map { "\($0) \(word($1))" }.sorted())
  }

  private static func row(_ line: Substring, _ value: (String) -> Value?) -> (String, Value)? {
    guard let last = line.lastIndex(of: " "), let first = line.firstIndex(of: " ") else { return nil }
    if let value = value(String(line[last...].dropFirst())) { return row(line[..<last], value) }
    // Until 1.0.0-rc1, the word for an input device came first.
    return value(String(line[..<first])).flatMap { row(line[first...].dropFirst(), $0) }
  }

  private static func row(_ name: Substring, _ value: Value) -> (String, Value)? {
    StateFile.isName(name) ? (String(name), value) : nil
  }
}
