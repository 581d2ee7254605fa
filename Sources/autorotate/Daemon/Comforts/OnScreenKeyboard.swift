// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// How an on-screen keyboard is dealt with that does not do as it should.
struct OnScreenKeyboardLimits {
  /// How often it is started again after a failure, until the device is folded anew.
  var restarts = 3
  /// From a failure to the next start, in nanoseconds.
  var pauseNanoseconds: Int64 = 1_000_000_000
  /// From SIGTERM to SIGKILL, in nanoseconds.
  var endingNanoseconds: Int64 = 2_000_000_000
}

/// Runs the person's on-screen keyboard while there is a command for it.
@MainActor final class OnScreenKeyboard {
  private let loop: EventLoop
  private let limits: OnScreenKeyboardLimits
  private let note: (String) -> Void
  private let lasting = LastingProcess()
  private var timer: EventTimer?
  private var output: HookOutput?
  private var watch: EventSource?
  private var process: pid_t = 0
  private var isEnding = false
  private var restartsLeft = 0

  /// A program and its arguments; empty for none. One that ends without an error was ended by the person, and
  /// is not started again until the command has been taken away.
  var command: [String] = [] {
    didSet { if command != oldValue { change() } }
  }

  /// - Parameter note: takes what it prints, and what becomes of it.
  init(
    loop: EventLoop, limits: OnScreenKeyboardLimits = OnScreenKeyboardLimits(),
    note: @escaping (String) -> Void
  ) throws {
    self.loop = loop
    self.limits = limits
    self.note = note
    try EventLoop.expectProcesses()
    timer = try loop.timer { [unowned self] in timeIsUp() }
  }

  func endWhatWasLeft() {
    lasting.endWhatWasLeft()
  }

  /// Asks it, and all that it started, to end.
  func stop() {
    timer?.cancel()
    timer = nil
    guard process > 0 else { return }
    kill(-process, SIGTERM)
    lasting.forget()
  }

  private func change() {
    restartsLeft = limits.restarts
    timer?.arm(at: nil)
    if process > 0 { end() } else { start() }
  }

  private func start() {
    guard !command.isEmpty else { return }
    do {
      try launch()
    } catch {
      abandon()
      let step: Phrase = "write a program that is there as on-screen-keyboard in the [tablet] settings"
      note(localized("The on-screen keyboard cannot be started (\(error)): \(step)"))
    }
  }

  private func launch() throws {
    let name = command[0].split(separator: "/").last.map(String.init) ?? command[0]
    output = try HookOutput(loop: loop, tell: { [note] in note("\(name): \($0)") }) {
      output throws(SystemError) in
      process = try Launch(command: command, environment: nil, place: .aside(output: output)).start()
    }
    lasting.remember(process)
    watch = try loop.onEnd(of: process) { [unowned self] in hasEnded($0) }
  }

  private func end() {
    guard !isEnding else { return }
    isEnding = true
    kill(-process, SIGTERM)
    timer?.arm(at: EventLoop.now + limits.endingNanoseconds)
  }

  private func timeIsUp() {
    if process > 0 { kill(-process, SIGKILL) } else { start() }
  }

  private func hasEnded(_ end: ProcessEnd) {
    timer?.arm(at: nil)
    // Its number stands for its group until this returns.
    if isEnding { kill(-process, SIGKILL) }
    process = 0
    lasting.forget()
    output?.drain()
    output = nil
    if isEnding {
      isEnding = false
      return start()
    }
    if end != .exited(status: 0) { fail(end) }
  }

  private func fail(_ end: ProcessEnd) {
    guard restartsLeft > 0 else {
      return note(
        localized(
          "The on-screen keyboard \(end.words), again and again: it is started no more until the device is folded "
            + "anew"))
    }
    if restartsLeft == limits.restarts {
      note(localized("The on-screen keyboard \(end.words): it is started again"))
    }
    restartsLeft -= 1
    timer?.arm(at: EventLoop.now + limits.pauseNanoseconds)
  }

  /// Nobody would be told of its end.
  private func abandon() {
    guard process > 0 else { return }
    kill(-process, SIGKILL)
    waitpid(process, nil, 0)
    process = 0
  }
}

extension ProcessEnd {
  fileprivate var words: Phrase {
    switch self {
    case .exited(let status): "failed with exit status \(status)"
    case .killed(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}
