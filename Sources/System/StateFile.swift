// SPDX-License-Identifier: MIT

import Glibc

/// A small file that keeps state after this program ends. Nothing is ever written through a link in its place, and a
/// pipe or device in its place cannot block the program.
nonisolated package struct StateFile: Sendable {
  package enum Place: Sendable {
    /// `$XDG_STATE_HOME`: persists across reboots.
    case state
    /// `$XDG_RUNTIME_DIR`: removed when the user logs out.
    case runtime
  }

  /// `nil` if the environment names no such directory: then nothing is saved.
  package let path: String?

  /// Bytes after these are ignored: this program writes fewer.
  private static let maximumBytes = 16384

  package init(path: String?) {
    self.path = path
  }

  /// - Parameters:
  ///   - name: in the directory `autorotate` there.
  ///   - variable: looks an environment variable up.
  package init(_ place: Place, _ name: String, variable: (String) -> String? = Environment.variable) {
    let directories = BaseDirectories(variable)
    let directory = place == .state ? directories.state : directories.runtime
    path = directory.map { "\($0)/autorotate/\(name)" }
  }

  package var exists: Bool {
    var file = stat()
    return path.map { lstat($0, &file) == 0 && file.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// - Returns: `nil` if there is no regular file.
  package func read() -> String? {
    path.flatMap { SystemFile.text(of: $0, maximumBytes: Self.maximumBytes, onlyFiles: true) }
  }

  package func write(_ text: String) throws(SystemError) {
    guard let path else { throw SystemError(call: "XDG_STATE_HOME", code: ENOENT) }
    try SystemFile.makeDirectories(above: path, mode: 0o700)
    try SystemFile.replace(path, with: Array(text.utf8), mode: 0o600)
  }

  /// Whether a name may be written to a line of the file, and between quotation marks elsewhere.
  package static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && !text.unicodeScalars.contains {
        $0 == "\"" || $0 == "\\" || $0.properties.generalCategory == .control
      }
  }

  package var lines: [Substring] { read()?.split(separator: "\n") ?? [] }

  /// Removes the file if there are no lines.
  package func write(lines: [String]) throws(SystemError) {
    try lines.isEmpty ? remove() : write(lines.map { $0 + "\n" }.joined())
  }

  /// It is not an error if there is no file.
  package func remove() throws(SystemError) {
    guard let path else { return }
    try SystemFile.remove(path)
  }
}

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
