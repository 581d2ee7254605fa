// SPDX-License-Identifier: MIT

import Autorotation
import System

/// DisplayConfig of Mutter or a fork on D-Bus: its owner, its signals and its methods.
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

  /// A rotation takes 0.02 to 0.2 s, on a slow machine with many monitors a second. Mutter hangs after this, which is
  /// sooner than the callers' own time limits, so that they get this reason.
  nonisolated private static let timeout = Duration.seconds(4)
  /// Applied until the next change or the end of the session, without monitors.xml and without a confirmation dialog.
  nonisolated private static let temporary: UInt32 = 1

  let bus: Bus
  let desktop: MutterDesktop
  private let report: (Event) -> Void
  private var subscriptions: [Subscription] = []
  private var isWatching = false

  /// - Parameter report: called from the loop, never from within a method of this.
  init(
    _ desktop: MutterDesktop, on kind: Bus.Kind, loop: EventLoop, _ report: @escaping (Event) -> Void
  ) throws(BusError) {
    self.desktop = desktop
    bus = try Bus(kind)
    self.report = report
    try bus.attach(to: loop)
  }

  private var target: BusTarget { desktop.displayConfig }

  func start() throws(BusError) {
    bus.onClosed = { [weak self] in self?.report(.ended) }
    let monitors = SignalRule(target, "MonitorsChanged")
    subscriptions = [
      try bus.match(monitors) { [weak self] _ in self?.report(.monitorsChanged) },
      try bus.matchChanges(of: target) { [weak self] changed, _ in self?.report(.properties(changed)) },
      try bus.watchName(target.service) { [weak self] in self?.adopt($0) },
    ]
  }

  func close() {
    subscriptions = []
    bus.close()
  }

  func readState(_ completion: @escaping (Result<MonitorState, Message>) -> Void) {
    ask(target, "GetCurrentState", []) { [desktop] in completion($0.flatMap(desktop.state)) }
  }

  func apply(_ state: MonitorState, _ completion: @escaping (Result<Void, Message>) -> Void) {
    let arguments = [.uint32(state.serial), .uint32(Self.temporary)] + state.configuration
    ask(target, "ApplyMonitorsConfig", arguments) { completion($0.map { _ in }) }
  }

  func readProperties(_ completion: @escaping (Result<[String: Value], Message>) -> Void) {
    ask(target.properties, "GetAll", [.string(target.interface)]) { answer in
      completion(answer.map { (try? $0.read(0, as: [String: Value].self)) ?? [:] })
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

  private func adopt(_ owner: String?) {
    guard !isWatching else {
      // Another owner has another state, and the backend ends.
      subscriptions = []
      return report(.lost)
    }
    isWatching = true
    report(.owner(owner))
  }
}
