// SPDX-License-Identifier: MIT

import System

/// Reports output changes where a compositor's own socket does not: sizes, places, transforms and power, as every
/// Wayland client receives them.
final class OutputWatch {
  private let connection: WaylandConnection
  /// Bound only for their events: Wayland sends none for globals that are not bound.
  private let outputs: WaylandOutputs
  private var power: PowerWatch?

  /// - Parameters:
  ///   - watchesPower: whether the compositor may report the power of outputs, if it lets several clients hold it.
  ///   - changed: called when something may have changed.
  /// - Returns: `nil` if that fails; then fewer changes are reported.
  init?(
    _ connection: WaylandConnection, on loop: EventLoop, watchesPower: Bool = false,
    changed: @escaping () -> Void
  ) {
    self.connection = connection
    outputs = WaylandOutputs(connection, watchesPower: watchesPower)
    power = try? PowerWatch(connection, on: loop, check: changed)
    let afterEvents = { [weak self] in
      if let self { power?.isReported = outputs.reportPower }
      changed()
    }
    // The compositor's own socket ends with it and reports that.
    guard (try? connection.start(on: loop, afterEvents: afterEvents, gone: { _ in })) != nil else {
      return nil
    }
  }

  func watch(_ interest: PowerWatch.Interest) {
    power?.interest = interest
  }

  func stop() {
    power?.stop()
    connection.stop()
  }
}
