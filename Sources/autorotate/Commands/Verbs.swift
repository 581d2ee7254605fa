// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// A word for what an option of the whole asks of the daemon, and run as that option is.
protocol Verb: ParsableCommand {
  /// What the parser has made of the options, wherever they stand.
  var whole: Autorotate { get }

  /// Sets the option that the word stands for.
  func ask(_ whole: inout Autorotate) throws
}

extension Verb {
  mutating func run() throws {
    var whole = whole
    try ask(&whole)
    try whole.run()
  }
}

struct LockVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: localized("Lock the picture as it is shown, or to an orientation."))

  @ParentCommand var whole: Autorotate

  @Argument(help: .said("Which way to lock it; without one, as it is shown.", valueName: "orientation"))
  var target: LockTarget?

  @OptionGroup var end: LockEndOptions

  func ask(_ whole: inout Autorotate) { whole.lock = target ?? .shown }
}

struct UnlockVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: localized("Take the lock back; the picture goes to how the device is held."))

  @ParentCommand var whole: Autorotate
  @OptionGroup var time: TimeOption

  func ask(_ whole: inout Autorotate) { whole.unlock = true }
}

struct ToggleVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: localized("Lock what is shown, or unlock."))

  @ParentCommand var whole: Autorotate

  func ask(_ whole: inout Autorotate) { whole.toggleLock = true }
}

struct RotateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: localized(
      "Turn the picture now; a lock moves with it. With --output: that output, which stays so."))

  @ParentCommand var whole: Autorotate

  @Argument(help: .said("Which way to turn it.", valueName: "orientation"))
  var target: RotateTarget?

  @Flag(help: .said("Take the turn that is offered while the picture is locked."))
  var offered = false

  @OptionGroup var unfolded: UnfoldedOption
  @OptionGroup var display: OutputOption

  func validate() throws {
    guard (target == nil) == offered else {
      throw misuse("Say which way, as in autorotate rotate left, or --offered.")
    }
  }

  func ask(_ whole: inout Autorotate) {
    whole.rotate = target ?? .offered
  }
}

struct HoldVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "hold", abstract: localized("Pause auto-rotation, until released."))

  @ParentCommand var whole: Autorotate

  func ask(_ whole: inout Autorotate) { whole.hold = true }
}

struct ReleaseVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: localized("Go on with auto-rotation after --hold."))

  @ParentCommand var whole: Autorotate

  func ask(_ whole: inout Autorotate) { whole.release = true }
}

struct QuitVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: localized("Stop the autorotate that runs in this session."))

  @ParentCommand var whole: Autorotate

  func ask(_ whole: inout Autorotate) { whole.quit = true }
}

struct StatusVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: localized("Tell orientation, lock, sensor, output, and why the picture is as it is."))

  @ParentCommand var whole: Autorotate
  @OptionGroup var form: StatusOptions

  func ask(_ whole: inout Autorotate) { whole.status = true }
}
