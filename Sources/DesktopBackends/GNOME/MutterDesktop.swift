// SPDX-License-Identifier: MIT

import Autorotation
import System

/// A desktop whose compositor is Mutter or a fork that kept its interfaces under other names.
nonisolated package struct MutterDesktop: Sendable {
  let kind: BackendKind
  /// For the user.
  let name: String
  let process: String
  /// The name of its display configuration on the session bus.
  let service: String
  /// The beginning of the names of its GSettings schemas.
  let settings: String

  package static let gnome = Self(
    kind: .gnome, name: "GNOME", process: "gnome-shell", service: "org.gnome.Mutter.DisplayConfig",
    settings: "org.gnome")
  /// Muffin is a fork of Mutter 3.36. It has no `PanelOrientationManaged`: it always rotates while the lock is off.
  static let cinnamon = Self(
    kind: .cinnamon, name: "Cinnamon", process: "cinnamon", service: "org.cinnamon.Muffin.DisplayConfig",
    settings: "org.cinnamon")
  static let all = [gnome, cinnamon]

  /// Its display configuration on the session bus.
  var displayConfig: BusTarget {
    BusTarget(service: service, path: "/" + service.replacing(".", with: "/"), interface: service)
  }
  /// The GSettings schema of `orientation-lock`.
  var lockSchema: String { "\(settings).settings-daemon.peripherals.touchscreen" }
  /// The GSettings schema of `send-events`, for all touchpads.
  var touchpadSchema: String { "\(settings).desktop.peripherals.touchpad" }

  // MARK: Why a request to the desktop failed, and the next step

  func noSessionBus(_ error: BusError) -> Message {
    Message(
      .busUnreachable, "autorotate cannot connect to \(name) (\(error))",
      next: "start autorotate from within the \(name) session")
  }

  var isNotRunning: Message {
    Message(.displayEnded, "\(name) is not running: the session bus has no \(service)")
  }

  /// The request may still be carried out.
  var timedOut: Message {
    Message(
      .rotationUnanswered, "\(name) does not answer",
      next: "check `journalctl --user -b _COMM=\(process)`, and log in again if \(name) hangs")
  }

  func invalidAnswer(_ what: Phrase) -> Message {
    Message(
      .displayNonsense, "\(name)'s answer cannot be understood (\(what))",
      next: "update autorotate, or report this")
  }

  func failure(_ error: BusError, of member: String) -> Message {
    switch error.name {
    case _ where error.isServiceMissing: isNotRunning
    case _ where error.isReplyTimeout: timedOut
    case BusError.disconnected: noSessionBus(error)
    case _ where error.name.hasPrefix("org.freedesktop.DBus.Error.Unknown"):
      invalidAnswer("\(member): \(error)")
    default:
      Message(
        .rotationRefused, "\(name) refused the request (\(error.description.printable()))",
        next: "try it in Settings, under Displays")
    }
  }

  /// - Parameter values: the answer to GetCurrentState.
  func state(_ values: [Value]) -> Result<MonitorState, Message> {
    Result { try MonitorState(values) }.mapError { invalidAnswer("\("GetCurrentState"): \($0)") }
  }
}

/// The methods of DisplayConfig of Mutter or a fork on D-Bus.
final class DisplayConfigClient {
  /// A rotation takes 0.02 to 0.2 s, on a slow machine with many monitors a second. Mutter hangs after this, which is
  /// sooner than the callers' own time limits, so that they get this reason.
  nonisolated private static let timeout = Duration.seconds(4)
  /// Applied until the next change or the end of the session, without monitors.xml and without a confirmation dialog.
  nonisolated private static let temporary: UInt32 = 1

  let bus: Bus
  let desktop: MutterDesktop

  init(_ desktop: MutterDesktop, on kind: Bus.Kind, loop: EventLoop) throws(BusError) {
    self.desktop = desktop
    bus = try Bus(kind)
    try bus.attach(to: loop)
  }

  func readState(_ completion: @escaping (Result<MonitorState, Message>) -> Void) {
    ask(desktop.displayConfig, "GetCurrentState", []) { [desktop] in completion($0.flatMap(desktop.state)) }
  }

  func apply(_ state: MonitorState, _ completion: @escaping (Result<Void, Message>) -> Void) {
    let arguments = [.uint32(state.serial), .uint32(Self.temporary)] + state.configuration
    ask(desktop.displayConfig, "ApplyMonitorsConfig", arguments) { completion($0.map { _ in }) }
  }

  /// - Parameter completion: receives none after a failure.
  func readProperties(_ completion: @escaping ([String: Value]) -> Void) {
    let target = desktop.displayConfig
    ask(target.properties, "GetAll", [.string(target.interface)]) { answer in
      completion((try? answer.get().read(0)) ?? [:])
    }
  }

  private func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value],
    _ completion: @escaping (Result<[Value], Message>) -> Void
  ) {
    bus.ask(target, member, arguments, timeout: Self.timeout) { [desktop] answer in
      completion(answer.mapError { desktop.failure($0, of: member) })
    }
  }
}
