// SPDX-License-Identifier: MIT

import Glibc

/// A small file in which this program remembers something over its own end. Nobody else's file is ever written to
/// in its place, and nothing that lies there in its stead can hold the program up.
nonisolated package struct StateFile: Sendable {
  package enum Place: Sendable {
    /// `$XDG_STATE_HOME`: kept over a restart of the machine.
    case state
    /// `$XDG_RUNTIME_DIR`: kept as long as the person is logged in.
    case runtime
  }

  /// `nil` where the environment names no such place: then nothing is remembered.
  package let path: String?

  /// What is behind these is not ours.
  private static let mostBytes = 16384

  package init(path: String?) {
    self.path = path
  }

  /// - Parameters:
  ///   - name: within the directory `autorotate` there.
  ///   - variable: looks an environment variable up.
  package init(
    _ place: Place, _ name: String,
    variable: (String) -> String? = Environment.variable
  ) {
    let directories = BaseDirectories(variable)
    let directory = place == .state ? directories.state : directories.runtime
    path = directory.map { "\($0)/autorotate/\(name)" }
  }

  package var isThere: Bool {
    var file = stat()
    return path.map { lstat($0, &file) == 0 && file.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// - Returns: `nil` if there is no such file, or something else in its place.
  package func read() -> String? {
    path.flatMap { SystemFile.text(of: $0, mostBytes: Self.mostBytes, onlyFiles: true) }
  }

  package func write(_ text: String) throws(SystemError) {
    guard let path else { throw Self.nowhere }
    try SystemFile.makeDirectories(above: path, mode: 0o700)
    try SystemFile.replace(path, with: Array(text.utf8), mode: 0o600)
  }

  /// Whether something of that name may be named in a line, and between quotation marks elsewhere.
  package static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && !text.unicodeScalars.contains {
        $0 == "\"" || $0 == "\\" || $0.properties.generalCategory == .control
      }
  }

  package var lines: [Substring] { read()?.split(separator: "\n") ?? [] }

  /// Without lines there is no file.
  package func write(lines: [String]) throws(SystemError) {
    try lines.isEmpty ? remove() : write(lines.map { $0 + "\n" }.joined())
  }

  /// It is no error if there is none.
  package func remove() throws(SystemError) {
    guard let path else { return }
    try SystemFile.remove(path)
  }

  private static var nowhere: SystemError { SystemError(call: "XDG_STATE_HOME", code: ENOENT) }
}
