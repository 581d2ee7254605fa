// SPDX-License-Identifier: MIT

import Glibc
import System

/// A child process in its own process group.
@MainActor final class ChildProgram {
  private(set) var process: pid_t = 0
  /// Whether `end()` was called.
  private(set) var isEnding = false
  private let endingNanoseconds: Int64
  private var output: ProgramOutput?
  private var watch: EventSource?
  private var killing: EventTimer?

  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - environment: "NAME=value"; `nil` for this process's own.
  ///   - endingNanoseconds: from SIGTERM to SIGKILL.
  ///   - onLine: receives each line that it prints.
  ///   - ended: called once, from the loop.
  /// - Throws: `SystemError` if it cannot be started.
  init(
    _ command: [String], environment: [String]? = nil, loop: EventLoop, endingNanoseconds: Int64,
    onLine: @escaping (String) -> Void, ended: @escaping (ProcessEnd) -> Void
  ) throws {
    self.endingNanoseconds = endingNanoseconds
    killing = try loop.timer { [unowned self] in signal(SIGKILL) }
    output = try ProgramOutput(loop: loop, onLine: onLine) { output throws(SystemError) in
      process = try Launch(command: command, environment: environment, mode: .separate(output: output))
        .start()
    }
    do {
      watch = try loop.onEnd(of: process) { [unowned self] end in
        finish()
        ended(end)
      }
    } catch {
      // Its end would not be noticed.
      signal(SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
  }

  /// Sends SIGTERM to it and its child processes.
  func terminate() {
    signal(SIGTERM)
  }

  /// Like `terminate`, and sends SIGKILL after a time.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    terminate()
    killing?.arm(at: EventLoop.now + endingNanoseconds)
  }

  private func finish() {
    killing?.cancel()
    // The process group ID stays reserved until the loop continues.
    if isEnding { signal(SIGKILL) }
    process = 0
    output?.drain()
  }

  private func signal(_ number: Int32) {
    if process > 0 { kill(-process, number) }
  }
}
