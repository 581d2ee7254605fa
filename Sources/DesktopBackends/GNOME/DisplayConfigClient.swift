// SPDX-License-Identifier: MIT

import Autorotation
import System

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

  func readProperties(_ completion: @escaping (Result<[String: Value], Message>) -> Void) {
    let target = desktop.displayConfig
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
}
