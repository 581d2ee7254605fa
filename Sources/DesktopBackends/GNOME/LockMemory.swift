// SPDX-License-Identifier: MIT

import Glibc
import SystemBus

/// Remembers over a crash that GNOME's orientation lock was switched on here: a file that is there or not.
struct LockMemory {
  private let path: String?

  /// - Parameters:
  ///   - directory: `nil` for `$XDG_STATE_HOME/autorotate`.
  ///   - variable: looks an environment variable up.
  init(
    directory: String? = nil,
    variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) {
    path = (directory ?? Self.usual(variable)).map { "\($0)/gnome-orientation-lock" }
  }

  /// As the XDG base directory specification says: a relative path counts as none.
  private static func usual(_ variable: (String) -> String?) -> String? {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/autorotate" }
    return variable("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.local/state/autorotate" : nil }
  }

  var isSet: Bool { path.map { access($0, F_OK) == 0 } ?? false }

  func set() throws {
    guard let path else { throw SystemError(call: "XDG_STATE_HOME", code: ENOENT) }
    makeDirectories(above: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open \(path)", code: errno) }
    close(descriptor)
  }

  func forget() {
    if let path { unlink(path) }
  }

  private func makeDirectories(above file: String) {
    var path = ""
    for part in file.split(separator: "/").dropLast() {
      path += "/\(part)"
      // Whether they are there now shows when the file is opened.
      mkdir(path, 0o700)
    }
  }
}
