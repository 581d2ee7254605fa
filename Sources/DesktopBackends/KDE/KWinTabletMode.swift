// SPDX-License-Identifier: MIT

import System

/// Whether KWin takes the device for a tablet: by a tablet switch, or where there is none by whether mouse and keyboard
/// are missing beside the touchscreen.
enum KWinTabletMode {
  static let target = BusTarget(
    service: "org.kde.KWin", path: "/org/kde/KWin", interface: "org.kde.KWin.TabletModeManager")
  private static let patience = Duration.seconds(4)

  /// - Parameter completion: takes `nil` where KWin does not tell.
  static func ask(_ bus: Bus, _ completion: @escaping (Bool?) -> Void) {
    let question: ()? = try? bus.call(
      target.properties, "Get", [.string(target.interface), .string("tabletMode")], timeout: patience,
      startsService: false
    ) { completion(try? $0.get().read(0)) }
    if question == nil { completion(nil) }
  }
}
