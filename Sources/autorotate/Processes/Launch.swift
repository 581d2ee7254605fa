// SPDX-License-Identifier: MIT

import Glibc
import System

/// A program to be started. No shell is asked, and nothing of this process is copied.
struct Launch {
  /// What of this process's own the program gets.
  enum Place {
    /// In this process's stead, on the same terminal: its descriptors, its process group, and the
    /// signal mask it had. SIGPIPE, which only this program ignores, ends it as usual.
    case here(mask: sigset_t)
    /// On its own: a process group with default signals, no input, and one descriptor for all output.
    case aside(output: Int32)
  }

  /// The program and its arguments; a name without a slash is looked up in PATH.
  var command: [String]
  /// "NAME=value"; `nil` for this process's own.
  var environment: [String]?
  var place: Place

  /// - Throws: what posix_spawn answers: ENOENT, EACCES, ENOEXEC and the like.
  func start() throws(SystemError) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&attributes, &actions)
    var process: pid_t = 0
    let code = withCStrings(command) { arguments in
      guard let environment else {
        return posix_spawnp(&process, command[0], &actions, &attributes, arguments, environ)
      }
      return withCStrings(environment) {
        posix_spawnp(&process, command[0], &actions, &attributes, arguments, $0)
      }
    }
    guard code == 0 else { throw SystemError(call: command[0], code: code) }
    return process
  }

  private func prepare(
    _ attributes: inout posix_spawnattr_t, _ actions: inout posix_spawn_file_actions_t
  ) {
    switch place {
    case .here(var mask):
      var usual = sigset_t()
      sigemptyset(&usual)
      sigaddset(&usual, SIGPIPE)
      posix_spawnattr_setsigmask(&attributes, &mask)
      posix_spawnattr_setsigdefault(&attributes, &usual)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    case .aside(let output):
      setApart(&attributes)
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
      OpenDescriptors.keepFromPrograms()
    }
  }

  private func setApart(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}
