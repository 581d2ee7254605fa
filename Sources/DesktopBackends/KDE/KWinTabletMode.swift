// SPDX-License-Identifier: MIT

import System

/// Whether KWin is in tablet mode: by a tablet-mode switch, or without one if a touchscreen but no mouse or keyboard
/// is attached.
enum KWinTabletMode {
  static let target = BusTarget(
    service: "org.kde.KWin", path: "/org/kde/KWin", interface: "org.kde.KWin.TabletModeManager")
  private static let timeout = Duration.seconds(4)

  /// - Parameter completion: receives `nil` where KWin does not report it.
  static func ask(_ bus: Bus, _ completion: @escaping (Bool?) -> Void) {
    let property = [Value.string(target.interface), .string("tabletMode")]
    bus.ask(target.properties, "Get", property, timeout: timeout) { completion(try? $0.get().read(0)) }
  }
}
