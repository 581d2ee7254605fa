// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// Why a hook failed.
extension Message {
  /// - Parameter error: what posix_spawn answered.
  static func notStarted(_ hook: Hook, _ error: SystemError) -> Self {
    switch error.code {
    case EACCES:
      Self(
        .hookNotStarted, "\(hook.title) cannot be started",
        next: "make it executable with: chmod +x \(hook.path)")
    case ENOENT:
      Self(
        .hookNotStarted,
        "\(hook.title) cannot be started: it, or the program that its first line names, is not there")
    case ENOEXEC:
      Self(
        .hookNotStarted,
        "\(hook.title) cannot be started: its first line names no program, such as #!/bin/sh")
    default: notStarted(hook, Phrase(verbatim: error.reason))
    }
  }

  static func notStarted(_ hook: Hook, _ reason: Phrase) -> Message {
    Self(.hookNotStarted, "\(hook.title) cannot be started: \(reason)")
  }

  /// Somebody else could have written it.
  static func notTrusted(_ hook: Hook, _ doubt: HookTrust.Doubt) -> Self {
    switch doubt {
    case .writableByOthers(let path):
      Self(
        .hookNotTrusted, "\(hook.title) is not started, since others may write to \(path)",
        next: "take that from them with: chmod go-w \(path)")
    case .ownedByOthers(let path):
      Self(
        .hookNotTrusted, "\(hook.title) is not started, since \(path) belongs to another user",
        next: "take it over, as root, with: chown $USER \(path)")
    }
  }

  /// - Returns: `nil` if it did its part.
  static func failure(of hook: Hook, _ end: ProcessEnd) -> Self? {
    switch end {
    case .exited(0): nil
    case .exited(let status): Self(.hookFailed, "\(hook.title) failed with exit status \(status)")
    case .killed(let signal):
      Self(
        .hookFailed,
        "\(hook.title) was ended by signal \(signal) (\(String(cString: strsignal(signal))))")
    }
  }

  /// It ran for so many seconds and was stopped.
  static func overdue(_ hook: Hook, seconds: Double) -> Self {
    let number = Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    return Self(.hookFailed, "\(hook.title) did not end within \(number) s and was stopped")
  }

  /// It kept the turn waiting for too long; these hooks after it were left out.
  static func late(_ hook: Hook, leftOut: [String]) -> Self {
    let others: Phrase = leftOut.isEmpty ? "" : " (left out: \(leftOut.joined(separator: ", ")))"
    return Self(
      .hookLate,
      "\(hook.title) took too long, so the picture turned without waiting for it\(others)")
  }
}

/// Tells of each hook that fails, once until it works again.
struct HookLedger {
  private var failing: Set<String> = []

  /// - Parameter failure: `nil` if the hook did its part.
  /// - Returns: what to tell.
  mutating func note(_ failure: Message?, of hook: Hook) -> String? {
    guard let failure else {
      return failing.remove(hook.path).map { _ in localized("\(hook.title) works again.") }
    }
    guard failing.insert(hook.path).inserted else { return nil }
    return localized("\(failure). This is told once, until it works again.")
  }
}
