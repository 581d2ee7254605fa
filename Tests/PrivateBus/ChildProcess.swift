// SPDX-License-Identifier: MIT

import Foundation
package import Glibc

/// A child process that is killed when this program ends, and not before.
///
/// For the kernel, the parent is the thread that spawned the child (prctl(2), PR_SET_PDEATHSIG). The main actor of a test
/// program runs on worker threads, which end after five seconds without work, and would end their children. So each child
/// has a thread of its own, which lives as long as the child.
nonisolated package enum ChildProcess {
  private static let launcher = "/usr/bin/setpriv"
  package static let isAvailable = access(launcher, X_OK) == 0
  package static let absence = "needs \(launcher), of util-linux"

  /// Starts the process; the caller must wait for it.
  /// - Throws: `POSIXError` if it cannot be spawned.
  package static func spawn(_ arguments: [String]) throws -> pid_t {
    let spawner = Spawner([launcher, "--pdeathsig", "KILL"] + arguments)
    let thread = Thread { spawner.spawnAndWait() }
    thread.start()
    return try spawner.result()
  }
}

/// Spawns a child process on its own thread. The result is read only after `isSpawned`.
nonisolated private final class Spawner: @unchecked Sendable {
  private let arguments: [String]
  private let isSpawned = DispatchSemaphore(value: 0)
  private var process: pid_t = 0
  private var code: Int32 = 0

  init(_ arguments: [String]) { self.arguments = arguments }

  func spawnAndWait() {
    code = spawn()
    let (process, isRunning) = (process, code == 0)
    isSpawned.signal()
    var end = siginfo_t()
    while isRunning, waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  func result() throws -> pid_t {
    isSpawned.wait()
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
    // A bus warns about limits that it may not raise in a container.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    return posix_spawn(&process, arguments[0], &actions, nil, list, environ)
  }
}
