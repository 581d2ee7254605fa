// SPDX-License-Identifier: MIT

import CSystemdShims
import Glibc

/// A program to start, without a shell and without fork's copy of this process.
nonisolated package struct Launch {
  /// What the program inherits from this process.
  package enum Mode {
    /// In the foreground of the same terminal: it inherits the descriptors and the process group, and gets the given
    /// signal mask. SIGPIPE and SIGXFSZ, which this process ignores, have their default actions.
    case foreground(mask: SignalMask)
    /// Separate: its own process group, default signals, no input, and one descriptor for all output.
    case separate(output: Int32)
  }

  /// The program and its arguments; a name without a slash is looked up in PATH.
  package var command: [String]
  /// "NAME=value"; `nil` for this process's own.
  package var environment: [String]?
  package var mode: Mode

  package init(command: [String], environment: [String]? = nil, mode: Mode) {
    self.command = command
    self.environment = environment
    self.mode = mode
  }

  /// - Throws: the error of posix_spawn: ENOENT, EACCES, ENOEXEC and the like.
  package func start() throws(SystemError) -> Int32 {
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

  private func prepare(_ attributes: inout posix_spawnattr_t, _ actions: inout posix_spawn_file_actions_t) {
    var defaults = sigset_t()
    sigemptyset(&defaults)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    switch mode {
    case .foreground(var mask):
      for ignored in [SIGPIPE, SIGXFSZ] { sigaddset(&defaults, ignored) }
      posix_spawnattr_setsigmask(&attributes, &mask.signals)
    case .separate(let output):
      // The attributes begin with an empty mask, and with a process group of its own.
      sigfillset(&defaults)
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
      csd_close_inherited_on_exec()
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

/// The blocked signals of a thread.
nonisolated package struct SignalMask {
  fileprivate var signals = sigset_t()

  /// Of the current thread.
  package static var current: Self {
    var mask = Self()
    pthread_sigmask(SIG_BLOCK, nil, &mask.signals)
    return mask
  }
}

/// A pipe that no program inherits, and whose reading end is non-blocking. The owner closes both ends.
nonisolated package struct Pipe {
  package let reading: Int32
  package let writing: Int32

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
  }
}

/// A zero-terminated copy of `text`, which the caller must deallocate.
nonisolated func allocateCString(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (offset, byte) in bytes.enumerated() { copy[offset] = byte }
  return copy
}

/// Calls `body` with a `NULL`-terminated array of C strings.
nonisolated package func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map(allocateCString)
  defer { for copy in copies { copy.deallocate() } }
  var list: [UnsafeMutablePointer<CChar>?] = copies + [nil]
  return body(&list)
}

/// The texts of a `NULL`-terminated array of C strings.
nonisolated func strings(in list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [String] {
  let entries = sequence(first: list) { $0 + 1 }.lazy.prefix { $0.pointee != nil }
  return entries.compactMap(\.pointee).map { String(cString: $0) }
}

/// Finds programs: a name without a slash is searched for in the directories of PATH.
nonisolated package struct ProgramSearch {
  private let directories: [String]

  /// - Parameters:
  ///   - first: directories searched before those of PATH.
  ///   - environment: looks a variable up.
  package init(first: [String] = [], _ environment: (String) -> String? = Environment.variable) {
    let path = (environment("PATH") ?? "").split(separator: ":").map(String.init)
    directories = first + path.filter { $0.hasPrefix("/") }
  }

  /// `nil` if there is no such program that this user may run.
  package func path(of name: String) -> String? {
    let candidates = name.contains("/") ? [name] : directories.map { "\($0)/\(name)" }
    return candidates.first { SystemFile.isFile($0) && access($0, X_OK) == 0 }
  }
}
