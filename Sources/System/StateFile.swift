// SPDX-License-Identifier: MIT

import Glibc

/// A small file that keeps state after this program ends. Nothing is ever written through a link in its place, and a pipe
/// or device in its place cannot block the program.
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
    guard let path else { throw Self.noDirectory }
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

  private static var noDirectory: SystemError { SystemError(call: "XDG_STATE_HOME", code: ENOENT) }
}
