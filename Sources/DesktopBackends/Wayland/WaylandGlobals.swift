// SPDX-License-Identifier: MIT

import CWayland

/// What a compositor offers, for the choice of how to speak with it.
package enum WaylandGlobals {
  /// Connects, asks and leaves again, in at most some 2 s.
  /// - Parameter display: like `WAYLAND_DISPLAY`, which is taken if it is `nil`.
  /// - Returns: the version of each interface, the highest if there are several of it (such as wl_output).
  /// - Throws: `WaylandUnavailable`
  package static func read(display: String? = nil) throws -> [String: UInt32] {
    let connection = try WaylandConnection(display: display)
    return Dictionary(
      connection.registry.globals.map { ($0.interface, $0.version) }, uniquingKeysWith: max)
  }
}
