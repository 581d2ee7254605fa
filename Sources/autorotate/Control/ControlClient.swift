// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The command line's side of the bus. Each call waits for the daemon's answer.
@MainActor struct ControlClient {
  /// The daemon answers at once unless it hangs.
  static let timeout = Duration.seconds(5)
  /// For answers that a command, or a shell, can do without.
  static let shortTimeout = Duration.milliseconds(500)

  let bus: Bus

  func send(_ command: DaemonCommand) throws(Message) {
    let (method, arguments) = command.call
    // For a named output it answers after the display system.
    let isSlow = if case .rotate(_, output: _?) = command { true } else { false }
    try call(method, arguments.map(\.value), timeout: isSlow ? FinalStatus.rotationTimeout : Self.timeout)
  }

  /// Asks for a set of orientations, for as long as this connection lives.
  func request(_ mask: [String], application: String, why: String) throws(Message) {
    try call("Request", [.strings(mask), .string(application), .string(why)])
  }

  /// - Parameter application: a name, or "" for the one in focus.
  func explain(_ application: String, fullscreen: Bool) throws(Message) -> String {
    let text: String = try read(call("Explain", [.string(application), .bool(fullscreen)]))
    return text.printableLines
  }

  /// - Returns: the rules in effect for each application that has a window, and whether the list is complete.
  func windows() throws(Message) -> ([WindowReport], isComplete: Bool) {
    let answer = try call("ListWindows")
    var windows: [WindowReport] = try read(answer)
    // An older daemon knows no titles.
    if windows.first?.isInFront == true {
      windows[0].title = (try? choices(.title))?.first?.printable(limit: Window.maximumTitleLength) ?? ""
    }
    return (windows, isComplete: try read(answer, 1))
  }

  func choices(_ kind: Choice, timeout: Duration = Self.shortTimeout) throws(Message) -> [String] {
    try read(call("GetChoices", [.string(kind.rawValue)], timeout: timeout))
  }

  func status(timeout: Duration = Self.timeout) throws(Message) -> StatusReport {
    let answer = try call(
      "GetAll", [.string(ControlInterface.name)], of: ControlInterface.target.properties, timeout: timeout)
    return StatusReport(try read(answer))
  }

  @discardableResult
  private func call(
    _ member: String, _ arguments: [Value] = [], of target: BusTarget = ControlInterface.target,
    timeout: Duration = Self.timeout
  ) throws(Message) -> [Value] {
    do {
      return try bus.callAndWait(target, member, arguments, timeout: timeout)
    } catch {
      throw Self.failure(error)
    }
  }

  private func read<T: ReadableFromBus>(_ answer: [Value], _ index: Int = 0) throws(Message) -> T {
    do {
      return try answer.read(index)
    } catch {
      throw Self.failure(error)
    }
  }

  /// A command: the loop, which would handle SIGTERM, hangs. Over ssh, no variable names the display of its process.
  private static var stop: String { DisplayLock.holder().map { "kill -9 \($0)" } ?? "pkill -9 -x autorotate" }

  static func failure(_ error: BusError) -> Message {
    if error.isServiceMissing { return .unreachable }
    switch error.name {
    case ControlInterface.ErrorName.invalidOrientation:
      return Message(.commandMistaken, error.phrase)
    case BusError.noReply, BusError.timeout:
      return Message(
        .commandFailed, "autorotate does not answer",
        next: "restart it: `\(stop)`, then `\(StartCommand.now)`")
    case BusError.unknownMethod:
      return Message(
        .commandFailed, "The running autorotate is another version", next: "restart it to use this version")
    case BusError.silentBus:
      return Message(
        .commandFailed, "autorotate uses the session bus, which does not answer",
        next: "check it with `systemctl --user status dbus`, or log in again")
    case BusError.noServer, BusError.disconnected:
      return Message(
        .commandFailed, "the session bus cannot be used: \(error)",
        next: "run this in the desktop session, or set DBUS_SESSION_BUS_ADDRESS to the session's address")
    default:
      return Message(.commandFailed, error.phrase)
    }
  }
}

extension ControlClient {
  init() throws(Message) {
    do {
      self.init(bus: try Bus(.session))
    } catch {
      throw Self.failure(error)
    }
  }

  /// The status, for a command that also works without a daemon.
  static func statusIfAnswered() -> StatusReport? { try? Self().status(timeout: shortTimeout) }
}
