// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import System

/// Disables the keyboard behind the screen and runs an on-screen one in tablet mode. Only a known posture has this
/// effect, so that no user loses the keyboard because of a guess.
@MainActor final class TabletFeatures {
  /// `nil` until there is a display.
  var backend: (any DesktopBackend)? { didSet { if disabled != nil { disableInput() } } }
  private let note: (String) -> Void
  private let keyboard: OnScreenKeyboard
  var settings = MachineSettings() { didSet { follow() } }
  var posture = Posture.unknown { didSet { follow() } }
  private var disabled: DisabledInput? { didSet { if disabled != oldValue { disableInput() } } }
  private var hasReportedFailure = false

  init(loop: EventLoop, note: @escaping (String) -> Void = Console.log) throws {
    self.note = note
    keyboard = try OnScreenKeyboard(loop: loop, note: note)
  }

  /// The backend enables the input devices again when it stops.
  func stop() { keyboard.stop() }

  private func follow() {
    let isTablet = posture.isTablet
    keyboard.command = isTablet ? settings.onScreenKeyboard : []
    let disablesInput = isTablet && settings.disablesInput
    disabled = disablesInput ? DisabledInput(names: settings.disabledDevices) : nil
  }

  private func disableInput() {
    guard let backend, !backend.disable(disabled), disabled != nil, !hasReportedFailure else { return }
    hasReportedFailure = true
    note(
      localized(
        "\(backend.name) offers no way to disable keyboard and touchpad in tablet mode. If it does not do so itself, "
          + "remove disable-input from the [tablet] settings"))
  }
}

/// Runs the user's on-screen keyboard while `command` is set.
@MainActor final class OnScreenKeyboard {
  /// Restarts after a failure, until the device is folded again.
  private static let maximumRestarts = 3
  /// From a failure to the next start.
  private static let pauseNanoseconds: Int64 = 1_000_000_000
  /// From SIGTERM to SIGKILL.
  private static let endingNanoseconds: Int64 = 2_000_000_000

  private let loop: EventLoop
  private let note: (String) -> Void
  /// The process ID and start time of the keyboard, so that the next daemon can end it if this one is killed: in
  /// `$XDG_RUNTIME_DIR/autorotate`.
  private static let record = StateFile(.runtime, "on-screen-keyboard")
  private var timer: EventTimer?
  private var program: ChildProgram?
  private var restartsLeft = 0

  /// A program and its arguments; empty for none. If it ends without an error, the user has closed it, and it is not
  /// started again until the command has been empty.
  var command: [String] = [] { didSet { if command != oldValue { change() } } }

  /// - Parameter note: logs its output and failures.
  init(loop: EventLoop, note: @escaping (String) -> Void) throws {
    self.loop = loop
    self.note = note
    try EventLoop.expectProcesses()
    timer = try loop.timer { [unowned self] in start() }
  }

  /// Sends SIGTERM to it and its child processes.
  func stop() {
    timer = nil
    guard let program else { return }
    program.terminate()
    Self.forgetProcess()
  }

  private static func forgetProcess() { try? record.remove() }

  /// Sends SIGTERM to the process that a killed daemon left, and to its child processes.
  static func endLeftover() {
    let left = ProcessIdentity(text: record.read() ?? "")
    forgetProcess()
    // The process ID may be reused by now.
    guard let left, left.isAlive, getpgid(left.process) == left.process else { return }
    kill(-left.process, SIGTERM)
  }

  private func change() {
    restartsLeft = Self.maximumRestarts
    timer?.arm(at: nil)
    if let program { program.end() } else { start() }
  }

  private func start() {
    guard let word = command.first else { return }
    let name = word.split(separator: "/").last ?? ""
    do {
      let program = try ChildProgram(
        command, loop: loop, endingNanoseconds: Self.endingNanoseconds,
        onLine: { [note] in note("\(name): \($0)") }, ended: { [unowned self] in hasEnded($0) })
      self.program = program
      // Without the record, only a killed daemon leaves the keyboard running.
      if let process = ProcessIdentity(of: program.process) { try? Self.record.write(lines: [process.text]) }
    } catch {
      let step: Phrase = "set on-screen-keyboard in the [tablet] settings to an installed program"
      note(localized("The on-screen keyboard cannot be started (\(error)): \(step)"))
    }
  }

  private func hasEnded(_ end: ProcessEnd) {
    let wasRequested = program?.isEnding == true
    program = nil
    Self.forgetProcess()
    if wasRequested { return start() }
    if end != .exited(status: 0) { fail(end) }
  }

  private func fail(_ end: ProcessEnd) {
    guard restartsLeft > 0 else {
      return note(
        localized(
          "The on-screen keyboard \(end.words) repeatedly. It is not restarted until the device is folded "
            + "again"))
    }
    if restartsLeft == Self.maximumRestarts {
      note(localized("The on-screen keyboard \(end.words). It is restarted"))
    }
    restartsLeft -= 1
    timer?.arm(at: EventLoop.now + Self.pauseNanoseconds)
  }
}

extension MachineSettings {
  /// Whether anything is to change in tablet mode.
  var hasTabletFeatures: Bool { disablesInput || !onScreenKeyboard.isEmpty }

  /// Why the on-screen keyboard cannot start; `nil` if none is configured or its program exists.
  func missingKeyboard(_ programs: ProgramSearch = ProgramSearch()) -> Message? {
    guard let name = onScreenKeyboard.first, programs.path(of: name) == nil else { return nil }
    return Message(
      .keyboardMissing, "the program “\(name)” for the on-screen keyboard is not installed",
      next: "install it, or choose another: autorotate config set tablet.on-screen-keyboard PROGRAM")
  }
}
