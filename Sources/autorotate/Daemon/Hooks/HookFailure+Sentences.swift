// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

extension HookFailure {
  /// What posix_spawn answered.
  init(_ error: SystemError, path: String) {
    switch error.code {
    case EACCES: self = .notExecutable(path: path)
    case ENOENT: self = .absent
    case ENOEXEC: self = .notStartable(reason: "its first line names no program, such as #!/bin/sh")
    default: self = .notStartable(reason: error.reason)
    }
  }

  /// Begins where the hook's name ends.
  var words: Phrase {
    switch self {
    case .notExecutable(let path): "cannot be started: make it executable with: chmod +x \(path)"
    case .notTrusted(.writableByOthers(let path)):
      "is not started, since others may write to \(path): take that from them with: chmod go-w \(path)"
    case .notTrusted(.ownedByOthers(let path)):
      "is not started, since \(path) belongs to another user: take it over, as root, with: chown $USER \(path)"
    case .absent: "cannot be started: it, or the program that its first line names, is not there"
    case .notStartable(let reason): "cannot be started: \(reason)"
    case .exited(let status): "failed with exit status \(status)"
    case .killed(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    case .overdue(let seconds): "did not end within \(Self.plain(seconds)) s and was stopped"
    case .late(let leftOut):
      "took too long, so the picture turned without waiting for it\(Self.list(leftOut))"
    }
  }

  private static func list(_ leftOut: [String]) -> Phrase {
    leftOut.isEmpty ? "" : " (left out: \(leftOut.joined(separator: ", ")))"
  }

  private static func plain(_ seconds: Double) -> String {
    Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
  }
}

/// Tells of each hook that fails, once until it works again.
struct HookLedger {
  private var failing: Set<String> = []

  /// - Parameter failure: `nil` if the hook did its part.
  /// - Returns: what to tell.
  mutating func note(_ failure: HookFailure?, of hook: Hook) -> String? {
    guard let failure else {
      return failing.remove(hook.path).map { _ in localized("\(hook.title) works again.") }
    }
    guard failing.insert(hook.path).inserted else { return nil }
    return localized("\(hook.title) \(failure.words). This is told once, until it works again.")
  }
}
