// SPDX-License-Identifier: MIT

import Glibc
import SystemBus

/// A process that is to end with this one, remembered in `$XDG_RUNTIME_DIR/autorotate/on-screen-keyboard` in case
/// that this one is killed: its number, and when it started.
struct LastingProcess {
  private let file: StateFile

  /// - Parameter variable: looks an environment variable up.
  init(variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    file = StateFile(.runtime, "on-screen-keyboard", variable: variable)
  }

  func remember(_ process: pid_t) {
    guard let start = Self.startOfGroup(process) else { return }
    // Without it, it is left only by a daemon that is killed.
    try? file.write("\(process) \(start)\n")
  }

  func forget() {
    try? file.remove()
  }

  /// Asks the one that a killed daemon left to end, and all that it started.
  func endWhatWasLeft() {
    let words = (file.read() ?? "").split(whereSeparator: \.isWhitespace)
    forget()
    guard words.count == 2, let process = pid_t(words[0]), process > 1 else { return }
    // Its number may be somebody else's by now.
    guard let start = Self.startOfGroup(process), start == words[1] else { return }
    kill(-process, SIGTERM)
  }

  /// When a process started that leads its group, in the kernel's ticks since its own start.
  private static func startOfGroup(_ process: pid_t) -> Substring? {
    guard getpgid(process) == process else { return nil }
    // The name, in parentheses, may hold anything.
    let stat = SystemFile.text(of: "/proc/\(process)/stat") ?? ""
    guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
    return fields.count > 19 ? fields[19] : nil
  }
}
