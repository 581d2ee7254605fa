// SPDX-License-Identifier: MIT

import System

/// Tells that outputs have changed where sway's IPC does not, before 1.9: by what sway tells every Wayland client
/// of their sizes, places, transforms and power.
final class SwayOutputWatch {
  private let connection: WaylandConnection
  private let outputs: WaylandOutputs

  /// sway has just answered over its IPC: one that does not answer here, in nanoseconds, is another one.
  private static let patience: Int64 = 250_000_000

  /// - Parameters:
  ///   - server: sway's process, if it is known.
  ///   - changed: called when something may have changed.
  /// - Returns: `nil` if WAYLAND_DISPLAY is not of this sway.
  init?(of server: Int32?, on loop: EventLoop, changed: @escaping () -> Void) {
    guard let connection = try? WaylandConnection(patience: Self.patience),
      server == nil || connection.compositorProcess?.id == server
    else { return nil }
    self.connection = connection
    outputs = WaylandOutputs(connection)
    // When it ends, so does the IPC, which tells.
    guard (try? connection.start(on: loop, afterEvents: changed, gone: { _ in })) != nil else { return nil }
  }

  func stop() {
    connection.stop()
  }
}
