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
    variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) {
    path = Self.directory(place, variable).map { "\($0)/autorotate/\(name)" }
  }

  /// As the XDG base directory specification says: a relative path counts as none.
  private static func directory(_ place: Place, _ variable: (String) -> String?) -> String? {
    func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let usual = absolute(variable("HOME")).map { "\($0)/.local/state" }
    return switch place {
    case .runtime: absolute(variable("XDG_RUNTIME_DIR"))
    case .state: absolute(variable("XDG_STATE_HOME")) ?? usual
    }
  }

  package var isThere: Bool {
    var file = stat()
    return path.map { lstat($0, &file) == 0 && file.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// - Returns: `nil` if there is no such file, or something else in its place.
  package func read() -> String? {
    guard let path else { return nil }
    // Not to wait for somebody to write into a FIFO.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  package func write(_ text: String) throws(SystemError) {
    guard let path else { throw Self.nowhere }
    try SystemFile.makeDirectories(above: path, mode: 0o700)
    try SystemFile.replace(path, with: Array(text.utf8), mode: 0o600)
  }

  /// It is no error if there is none.
  package func remove() throws(SystemError) {
    guard let path else { throw Self.nowhere }
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw SystemError(call: "unlink \(path)", code: errno)
    }
  }

  private static var nowhere: SystemError { SystemError(call: "XDG_STATE_HOME", code: ENOENT) }
}
