// SPDX-License-Identifier: MIT

import Glibc
import System

/// A program that runs beside this one, in a process group of its own.
@MainActor final class ChildProgram {
  private(set) var process: pid_t = 0
  /// Whether it was told to end.
  private(set) var isEnding = false
  private let endingNanoseconds: Int64
  private var output: ProgramOutput?
  private var watch: EventSource?
  private var killing: EventTimer?

  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - environment: "NAME=value"; `nil` for this process's own.
  ///   - endingNanoseconds: from SIGTERM to SIGKILL.
  ///   - tell: takes each line that it prints.
  ///   - ended: called once, from the loop.
  /// - Throws: `SystemError` if it cannot be started.
  init(
    _ command: [String], environment: [String]? = nil, loop: EventLoop, endingNanoseconds: Int64,
    tell: @escaping (String) -> Void, ended: @escaping (ProcessEnd) -> Void
  ) throws {
    self.endingNanoseconds = endingNanoseconds
    killing = try loop.timer { [unowned self] in signal(SIGKILL) }
    output = try ProgramOutput(loop: loop, tell: tell) { output throws(SystemError) in
      process = try Launch(command: command, environment: environment, place: .aside(output: output)).start()
    }
    do {
      watch = try loop.onEnd(of: process) { [unowned self] end in
        finish()
        ended(end)
      }
    } catch {
      // Nobody would be told of its end.
      signal(SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
  }

  /// Asks it, and all that it started, to end.
  func terminate() {
    signal(SIGTERM)
  }

  /// As `terminate`, and kills what has not ended in time.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    terminate()
    killing?.arm(at: EventLoop.now + endingNanoseconds)
  }

  private func finish() {
    killing?.cancel()
    // Its number stands for its group until the loop goes on.
    if isEnding { signal(SIGKILL) }
    process = 0
    output?.drain()
  }

  private func signal(_ number: Int32) {
    if process > 0 { kill(-process, number) }
  }
}
