// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The reasons why a hook failed.
extension Message {
  /// - Parameter error: what posix_spawn answered.
  static func notStarted(_ hook: Hook, _ error: any Error) -> Self {
    let failure = error as? SystemError
    let reason = failure?.reason ?? String(describing: error)
    return switch failure?.code {
    case EACCES:
      Self(
        .hookNotStarted, "\(hook.title) cannot be started",
        next: "make it executable with: chmod +x \(hook.path)")
    case ENOENT:
      Self(
        .hookNotStarted,
        "\(hook.title) cannot be started: the file, or the program in its first line, does not exist")
    case ENOEXEC:
      Self(
        .hookNotStarted,
        "\(hook.title) cannot be started: its first line names no program, such as #!/bin/sh")
    default: Self(.hookNotStarted, "\(hook.title) cannot be started: \(reason)")
    }
  }

  /// Another user could have written it.
  static func notTrusted(_ hook: Hook, _ problem: FileTrust.Problem) -> Self {
    switch problem {
    case .writableByOthers(let path):
      Self(
        .hookNotTrusted, "\(hook.title) is not run, because others may write to \(path)",
        next: "restrict it with: chmod go-w \(path)")
    case .ownedByOthers(let path):
      Self(
        .hookNotTrusted, "\(hook.title) is not run, because \(path) belongs to another user",
        next: "as root, change its owner with: chown $USER \(path)")
    }
  }

  /// - Returns: `nil` if it succeeded.
  static func failure(of hook: Hook, _ end: ProcessEnd) -> Self? {
    switch end {
    case .exited(0): nil
    case .exited(let status): Self(.hookFailed, "\(hook.title) failed with exit status \(status)")
    case .killed(let signal):
      Self(
        .hookFailed,
        "\(hook.title) was killed by signal \(signal) (\(String(cString: strsignal(signal))))")
    }
  }

  /// It ran for so many seconds and was stopped.
  static func overdue(_ hook: Hook, seconds: Double) -> Self {
    let number = Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    return Self(.hookFailed, "\(hook.title) did not end within \(number) s and was stopped")
  }

  /// The rotation did not wait for it any longer; `skipped` are the hooks after it.
  static func late(_ hook: Hook, skipped: [String]) -> Self {
    let others: Phrase = skipped.isEmpty ? "" : " (skipped: \(skipped.joined(separator: ", ")))"
    return Self(
      .hookTimedOut,
      "\(hook.title) took too long, so the screen was rotated without waiting for it\(others)")
  }
}
