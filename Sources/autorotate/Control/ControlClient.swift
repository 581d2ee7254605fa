// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The command line's side of the bus. Each call waits for the daemon's answer.
@MainActor struct ControlClient {
  /// What ends a lock by itself.
  enum LockEnd: Equatable {
    case after(seconds: UInt32)
    case unfolded
    case focusLost(application: String)

    /// The method of the bus that locks so.
    var member: String {
      switch self {
      case .after: "LockFor"
      case .unfolded: "LockUntilUnfolded"
      case .focusLost: "LockWhileFocused"
      }
    }

    func arguments(for orientation: String) -> [Value] {
      switch self {
      case .after(let seconds): [.string(orientation), .uint32(seconds)]
      case .unfolded: [.string(orientation)]
      case .focusLost(let application): [.string(orientation), .string(application)]
      }
    }
  }

  /// The daemon answers at once, or it is stuck.
  private static let timeout = Duration.seconds(5)

  let bus: Bus

  /// - Parameter orientation: a word of `OrientationWish`, or "" for what is shown.
  func lock(_ orientation: String = "", end: LockEnd? = nil) throws(Message) {
    guard let end else {
      try call("Lock", [.string(orientation)])
      return
    }
    try call(end.member, end.arguments(for: orientation))
  }

  func unlock() throws(Message) {
    try call("Unlock")
  }

  func unlock(seconds: UInt32) throws(Message) {
    try call("UnlockFor", [.uint32(seconds)])
  }

  func setPosture(_ choice: PostureChoice) throws(Message) {
    try call("SetPosture", [.string(choice.rawValue)])
  }

  func toggleLock() throws(Message) {
    try call("ToggleLock")
  }

  /// - Parameter output: `nil` for what turns by itself.
  func rotate(_ orientation: String, output: String? = nil) throws(Message) {
    if let output {
      try call("RotateOutput", [.string(orientation), .string(output)])
    } else {
      try call("Rotate", [.string(orientation)])
    }
  }

  func takeSuggestion() throws(Message) {
    try call("TakeSuggestion")
  }

  func hold(_ isOnHold: Bool) throws(Message) {
    try call("Hold", [.bool(isOnHold)])
  }

  func quit() throws(Message) {
    try call("Quit")
  }

  /// Asks for a set of orientations, for as long as this connection lives.
  /// - Returns: the number to release it with.
  @discardableResult
  func request(_ mask: [String], application: String, why: String) throws(Message) -> UInt32 {
    let answer = try call("Request", [.strings(mask), .string(application), .string(why)])
    return try read(answer)
  }

  /// - Parameter application: a name, or "" for the one in focus.
  func explain(_ application: String, fullscreen: Bool) throws(Message) -> String {
    try read(call("Explain", [.string(application), .bool(fullscreen)]))
  }

  /// - Returns: what counts for each application that has a window, and whether those are all.
  func windows() throws(Message) -> ([WindowReport], isComplete: Bool) {
    let answer = try call("ListWindows")
    do {
      return (try answer.read(0), isComplete: try answer.read(1))
    } catch {
      throw Self.failure(error)
    }
  }

  /// - Parameter patience: a shell waits for the answer.
  func choices(_ kind: Choice, patience: Duration = .milliseconds(500)) throws(Message) -> [String] {
    try read(call("GetChoices", [.string(kind.rawValue)], patience: patience))
  }

  func status() throws(Message) -> StatusReport {
    let answer = try call("GetAll", [.string(ControlInterface.name)], of: ControlInterface.target.properties)
    var report = StatusReport()
    report.update(try read(answer))
    return report
  }

  @discardableResult
  private func call(
    _ member: String, _ arguments: [Value] = [], of target: BusTarget = ControlInterface.target,
    patience: Duration = Self.timeout
  ) throws(Message) -> [Value] {
    do {
      return try bus.callAndWait(
        target, member, arguments, timeout: patience, startsService: false)
    } catch {
      throw Self.failure(error)
    }
  }

  private func read<T: ReadableFromBus>(_ answer: [Value]) throws(Message) -> T {
    do {
      return try answer.read(0)
    } catch {
      throw Self.failure(error)
    }
  }

  static func failure(_ error: BusError) -> Message {
    if error.isAbsence { return .notRunning }
    switch error.name {
    case ControlInterface.ErrorName.invalidOrientation:
      return Message(.commandMistaken, error.phrase)
    case BusError.noReply, BusError.timeout:
      return Message(
        .commandFailed, "autorotate does not answer",
        next: "start it anew with `systemctl --user restart autorotate`")
    case BusError.unknownMethod:
      return Message(
        .commandFailed, "The autorotate that runs is of another version",
        next: "start it anew to use this one")
    case BusError.silentBus:
      return Message(
        .commandFailed, "autorotate is reached over the session bus, which does not answer",
        next: "look at it with `systemctl --user status dbus`, or log in anew")
    case BusError.noServer, BusError.disconnected:
      return noBus(error)
    default:
      return Message(.commandFailed, error.phrase)
    }
  }

  private static func noBus(_ error: BusError) -> Message {
    Message(
      .commandFailed, "autorotate is reached over the session bus, but \(error)",
      next: "run this in the desktop session, or set DBUS_SESSION_BUS_ADDRESS to that of the session")
  }
}

extension ControlClient {
  /// Connects to the session bus.
  init() throws(Message) {
    do {
      self.init(bus: try Bus(.session))
    } catch {
      throw Self.noBus(error)
    }
  }
}
