// SPDX-License-Identifier: MIT

import Glibc
import System

/// A process that is to end with this one, remembered in `$XDG_RUNTIME_DIR/autorotate/on-screen-keyboard` in case
/// that this one is killed: its number, and when it started.
struct LastingProcess {
  private let file: StateFile

  /// - Parameter variable: looks an environment variable up.
  init(variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    file = StateFile(.runtime, "on-screen-keyboard", variable: variable)
  }

  func remember(_ process: pid_t) {
    guard let identity = ProcessIdentity(of: process) else { return }
    // Without it, it is left only by a daemon that is killed.
    try? file.write(identity.text + "\n")
  }

  func forget() {
    try? file.remove()
  }

  /// Asks the one that a killed daemon left to end, and all that it started.
  func endWhatWasLeft() {
    let left = ProcessIdentity(text: file.read() ?? "")
    forget()
    // Its number may be somebody else's by now.
    guard let left, left.isAlive, getpgid(left.process) == left.process else { return }
    kill(-left.process, SIGTERM)
  }
}
