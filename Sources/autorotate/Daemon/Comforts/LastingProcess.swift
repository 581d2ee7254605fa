// SPDX-License-Identifier: MIT

import Glibc
import SystemBus

/// A process that is to end with this one, remembered in `$XDG_RUNTIME_DIR/autorotate/on-screen-keyboard` in case
/// that this one is killed: its number, and when it started.
struct LastingProcess {
  private let directory: String?

  /// - Parameter runtime: `nil` remembers nothing.
  init(runtime: String? = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }) {
    directory = runtime.flatMap { $0.hasPrefix("/") ? "\($0)/autorotate" : nil }
  }

  private var path: String? { directory.map { "\($0)/on-screen-keyboard" } }

  func remember(_ process: pid_t) {
    guard let directory, let path, let start = Self.startOfGroup(process) else { return }
    mkdir(directory, 0o700)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    Console.write("\(process) \(start)\n", to: file)
    close(file)
  }

  func forget() {
    if let path { unlink(path) }
  }

  /// Asks the one that a killed daemon left to end, and all that it started.
  func endWhatWasLeft() {
    guard let path else { return }
    let words = Self.text(of: path).split(whereSeparator: \.isWhitespace)
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
    let stat = text(of: "/proc/\(process)/stat")
    guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
    return fields.count > 19 ? fields[19] : nil
  }

  private static func text(of path: String) -> String {
    SystemFile.text(of: path) ?? ""
  }
}
