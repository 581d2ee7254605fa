// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Mutter's DisplayConfig on D-Bus: its owner, its signals and its methods.
final class DisplayConfigClient {
  enum Event {
    /// The first owner of the name; `nil` if it has none yet.
    case owner(String?)
    /// The owner has left or changed.
    case lost
    case monitorsChanged
    case properties([String: Value])
    /// The session bus has ended.
    case ended
  }

  nonisolated static let target = BusTarget(
    service: "org.gnome.Mutter.DisplayConfig", path: "/org/gnome/Mutter/DisplayConfig",
    interface: "org.gnome.Mutter.DisplayConfig")
  /// A rotation takes 0.02 to 0.2 s, on a slow machine with many monitors a second. Mutter hangs after this, which is
  /// sooner than the callers' own time limits, so that they get this reason.
  nonisolated private static let timeout = Duration.seconds(4)
  /// Applied until the next change or the end of the session, without monitors.xml and without a confirmation dialog.
  nonisolated private static let temporary: UInt32 = 1

  let bus: Bus
  private let report: (Event) -> Void
  private var subscriptions: [Subscription] = []
  private var owner: String?
  private var isWatching = false

  /// - Parameter report: called from the loop, never from within a method of this.
  init(_ kind: Bus.Kind, loop: EventLoop, _ report: @escaping (Event) -> Void) throws(BusError) {
    bus = try Bus(kind)
    self.report = report
    try bus.attach(to: loop)
  }

  func start() throws(BusError) {
    bus.onClosed = { [weak self] in self?.report(.ended) }
    let properties = SignalRule(
      Self.target.properties, "PropertiesChanged", firstArgument: Self.target.interface)
    subscriptions = [
      try bus.match(SignalRule(Self.target, "MonitorsChanged")) { [weak self] in
        if $0.sender == self?.owner { self?.report(.monitorsChanged) }
      },
      try bus.match(properties) { [weak self] in self?.receive($0) },
      try bus.watchName(Self.target.service) { [weak self] in self?.adopt($0) },
    ]
  }

  func close() {
    subscriptions = []
    bus.close()
  }

  func readState(_ completion: @escaping (Result<MonitorState, Message>) -> Void) {
    ask(Self.target, "GetCurrentState", []) { answer in
      completion(answer.flatMap(Self.state))
    }
  }

  static func state(_ values: [Value]) -> Result<MonitorState, Message> {
    do throws(InvalidState) {
      return .success(try MonitorState(values))
    } catch {
      return .failure(.invalidGNOMEAnswer("\("GetCurrentState"): \(error)"))
    }
  }

  func apply(_ state: MonitorState, _ completion: @escaping (Result<Void, Message>) -> Void) {
    let arguments = [.uint32(state.serial), .uint32(Self.temporary)] + state.configuration
    ask(Self.target, "ApplyMonitorsConfig", arguments) { completion($0.map { _ in }) }
  }

  func readProperties(_ completion: @escaping (Result<[String: Value], Message>) -> Void) {
    ask(Self.target.properties, "GetAll", [.string(Self.target.interface)]) { answer in
      completion(
        answer.map { (try? $0.read(0, as: [String: Value].self)) ?? [:] })
    }
  }

  private func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value],
    _ completion: @escaping (Result<[Value], Message>) -> Void
  ) {
    do throws(BusError) {
      try bus.call(target, member, arguments, timeout: Self.timeout, startsService: false) {
        completion($0.mapError { Message.gnome($0, to: member) })
      }
    } catch {
      completion(.failure(.gnome(error, to: member)))
    }
  }

  private func adopt(_ owner: String?) {
    if isWatching { return report(.lost) }
    isWatching = true
    self.owner = owner
    report(.owner(owner))
  }

  private func receive(_ signal: BusMessage) {
    guard signal.sender == owner, let changed: [String: Value] = try? signal.arguments().read(1) else {
      return
    }
    report(.properties(changed))
  }
}
