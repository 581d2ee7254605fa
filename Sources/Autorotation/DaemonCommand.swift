// SPDX-License-Identifier: MIT

/// What users and programs ask of the daemon: with a sub-command, in the tray or the window, or over the session bus.
package enum DaemonCommand: Equatable, Sendable {
  /// Without a target, the present orientation is locked. A time counts from now.
  case lock(RotationTarget?, until: LockEnd<Duration>?)
  case unlock
  /// Follow the device once, for at most that time, and lock again.
  case unlockOnce(Duration)
  case toggleLock
  /// Rotate now, even while locked: the panels, or an output by its name. A monitor keeps it across restart and
  /// hot-plug.
  case rotate(RotationTarget, output: String?)
  /// Accept the suggested rotation.
  case acceptSuggestion
  /// Pause auto-rotation, or resume it.
  case hold(Bool)
  case setPosture(PostureChoice)
  /// End the daemon.
  case quit
}

/// The user's override of the posture.
package enum PostureChoice: String, CaseIterable, Sendable {
  case tablet, tent, stand, laptop
  /// As the device reports it.
  case auto

  var posture: Posture? { Posture(rawValue: rawValue) }
}

extension DaemonCommand {
  /// An argument of a method on the bus.
  package enum Argument: Equatable, Sendable {
    case text(String)
    case number(UInt32)
    case flag(Bool)

    fileprivate static func word(_ target: RotationTarget?) -> Self { .text(target?.word ?? "") }

    fileprivate static func seconds(_ time: Duration) -> Self {
      .number(UInt32(clamping: time.components.seconds))
    }
  }

  /// The D-Bus method with the same effect.
  package var call: (method: String, arguments: [Argument]) {
    switch self {
    case .lock(let target, nil): ("Lock", [.word(target)])
    case .lock(let target, .time(let time)?): ("LockFor", [.word(target), .seconds(time)])
    case .lock(let target, .unfolded?): ("LockUntilUnfolded", [.word(target)])
    case .lock(let target, .focus(let app)?): ("LockWhileFocused", [.word(target), .text(app)])
    case .unlock: ("Unlock", [])
    case .unlockOnce(let time): ("UnlockFor", [.seconds(time)])
    case .toggleLock: ("ToggleLock", [])
    case .rotate(let target, nil): ("Rotate", [.word(target)])
    case .rotate(let target, let output?): ("RotateOutput", [.word(target), .text(output)])
    case .acceptSuggestion: ("TakeSuggestion", [])
    case .hold(let isOn): ("Hold", [.flag(isOn)])
    case .setPosture(let choice): ("SetPosture", [.text(choice.rawValue)])
    case .quit: ("Quit", [])
    }
  }
}
