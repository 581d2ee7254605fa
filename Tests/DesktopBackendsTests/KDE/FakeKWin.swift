// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

extension Fake {
  /// The versions of KWin's interfaces.
  struct KWinVersion: Sendable {
    var devices: Int
    var management: Int

    static let plasma5 = Self(devices: 2, management: 3)
    static let plasma6 = Self(devices: 11, management: 12)
    /// With a registry of outputs.
    static let plasma67 = Self(devices: 23, management: 21)
  }

  /// A KWin with eDP-1, and with HDMI-A-1 right of it.
  static func kwin(_ version: KWinVersion = .plasma6) throws -> Fake {
    try Fake(
      "kwin offer \(version.devices) \(version.management)", "output eDP-1 1280 800",
      "output HDMI-A-1 1024 768",
      "kwin output eDP-1 1280 800 0 \(version.management < 5 ? 0 : 0x20)",
      "kwin output HDMI-A-1 1024 768 1280 0")
  }
}

extension Running<KDEBackend> {
  /// - Parameters:
  ///   - bus: `nil` for a session without a bus.
  ///   - state: the directory of state files.
  convenience init(
    _ fake: Fake, bus: Bus.Kind?, settings: DisplaySettings = DisplaySettings(), state: String? = nil
  ) throws {
    let nowhere = Bus.Kind.at(address: "unix:path=/nonexistent")
    try self.init { loop, note in
      try KDEBackend(
        loop: loop, display: fake.path, bus: bus ?? nowhere, settings: settings,
        variable: { $0 == "XDG_STATE_HOME" ? state : nil }, note: note)
    }
    other = fake
  }

  /// The last report that the desktop rotates the screen; `nil` without one.
  var desktopRotates: Message?? {
    events.reversed().lazy.compactMap { event -> Message?? in
      if case .desktopRotates(let reason) = event { .some(reason) } else { nil }
    }.first
  }
}
