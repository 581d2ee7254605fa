// SPDX-License-Identifier: MIT

import System

/// Tells that outputs have changed where a compositor's own socket does not: by what it tells every Wayland client of
/// their sizes, places, transforms and power.
final class OutputWatch {
  private let connection: WaylandConnection
  /// Kept for what they tell, since Wayland tells nothing of what nobody has bound.
  private let outputs: WaylandOutputs
  private var power: PowerWatch?

  /// - Parameters:
  ///   - holdsPower: whether the compositor may report the power of outputs, if it lets several clients hold it.
  ///   - changed: called when something may have changed.
  /// - Returns: `nil` if that fails: then there is less to be told.
  init?(
    _ connection: WaylandConnection, on loop: EventLoop, holdsPower: Bool = false,
    changed: @escaping () -> Void
  ) {
    self.connection = connection
    outputs = WaylandOutputs(connection, holdsPower: holdsPower)
    power = try? PowerWatch(connection, on: loop, look: changed)
    let afterEvents = { [weak self] in
      if let self { power?.isReported = outputs.reportPower }
      changed()
    }
    // When it ends, so does the compositor's own socket, which tells.
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
