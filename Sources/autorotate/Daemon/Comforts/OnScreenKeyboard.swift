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
  private var program: ChildProgram?
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
    timer = try loop.timer { [unowned self] in start() }
  }

  func endWhatWasLeft() {
    lasting.endWhatWasLeft()
  }

  /// Asks it, and all that it started, to end.
  func stop() {
    timer?.cancel()
    timer = nil
    guard let program else { return }
    program.terminate()
    lasting.forget()
  }

  private func change() {
    restartsLeft = limits.restarts
    timer?.arm(at: nil)
    if let program { program.end() } else { start() }
  }

  private func start() {
    guard !command.isEmpty else { return }
    do {
      try launch()
    } catch {
      let step: Phrase = "write a program that is there as on-screen-keyboard in the [tablet] settings"
      note(localized("The on-screen keyboard cannot be started (\(error)): \(step)"))
    }
  }

  private func launch() throws {
    let name = command[0].split(separator: "/").last.map(String.init) ?? command[0]
    let program = try ChildProgram(
      command, loop: loop, endingNanoseconds: limits.endingNanoseconds,
      tell: { [note] in note("\(name): \($0)") }, ended: { [unowned self] in hasEnded($0) })
    self.program = program
    lasting.remember(program.process)
  }

  private func hasEnded(_ end: ProcessEnd) {
    let wasToEnd = program?.isEnding == true
    program = nil
    lasting.forget()
    if wasToEnd { return start() }
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
}

extension ProcessEnd {
  fileprivate var words: Phrase {
    switch self {
    case .exited(let status): "failed with exit status \(status)"
    case .killed(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}

/// A process that is to end with this one, remembered in `$XDG_RUNTIME_DIR/autorotate/on-screen-keyboard` in case
/// that this one is killed: its number, and when it started.
struct LastingProcess {
  private let file: StateFile

  /// - Parameter variable: looks an environment variable up.
  init(variable: (String) -> String? = Environment.variable) {
    file = StateFile(.runtime, "on-screen-keyboard", variable: variable)
  }

  func remember(_ process: pid_t) {
    guard let identity = ProcessIdentity(of: process) else { return }
    // Without it, it is left only by a daemon that is killed.
    try? file.write(identity.text + "\n")
  }

  func forget() {
    try? file.remove()
  }

  /// Asks the one that a killed daemon left to end, and all that it started.
  func endWhatWasLeft() {
    let left = ProcessIdentity(text: file.read() ?? "")
    forget()
    // Its number may be somebody else's by now.
    guard let left, left.isAlive, getpgid(left.process) == left.process else { return }
    kill(-left.process, SIGTERM)
  }
}
