// SPDX-License-Identifier: MIT

import Foundation
package import Glibc

/// A process that ends with this program, however that ends, and not before.
///
/// The kernel takes the thread that spawned for the parent (prctl(2), PR_SET_PDEATHSIG), and the main actor of
/// a test program runs on worker threads, which end after five seconds without work, and their children with
/// them. So each companion has a thread of its own, which stays for as long as it lives.
nonisolated package enum Companion {
  private static let launcher = "/usr/bin/setpriv"
  package static let isAvailable = access(launcher, X_OK) == 0
  package static let absence = "needs \(launcher), of util-linux"

  /// Begins it; it is the caller's to wait for.
  /// - Throws: `POSIXError` if it cannot be spawned.
  package static func spawn(_ arguments: [String]) throws -> pid_t {
    let birth = Birth([launcher, "--pdeathsig", "KILL"] + arguments)
    let thread = Thread { birth.bearAndStay() }
    thread.start()
    return try birth.outcome()
  }
}

/// What the thread of a companion does; it is read only after `isOver`.
nonisolated private final class Birth: @unchecked Sendable {
  private let arguments: [String]
  private let isOver = DispatchSemaphore(value: 0)
  private var process: pid_t = 0
  private var code: Int32 = 0

  init(_ arguments: [String]) { self.arguments = arguments }

  func bearAndStay() {
    code = spawn()
    let (process, isBorn) = (process, code == 0)
    isOver.signal()
    var end = siginfo_t()
    while isBorn, waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  func outcome() throws -> pid_t {
    isOver.wait()
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return process
  }

  private func spawn() -> Int32 {
    var list: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for argument in list { free(argument) } }
    list.append(nil)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A bus grumbles about limits that it may not raise in a container.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    return posix_spawn(&process, arguments[0], &actions, nil, list, environ)
  }
}
