// SPDX-License-Identifier: MIT

package import System

/// A desktop whose compositor is Mutter or a fork that kept its interfaces under other names.
nonisolated package struct MutterDesktop: Sendable {
  let kind: BackendKind
  /// For the user.
  let name: String
  /// The compositor's process.
  let process: String
  /// Its display configuration on the session bus.
  package let displayConfig: BusTarget
  /// The beginning of the names of its GSettings schemas.
  let settings: String

  package static let gnome = Self(
    .gnome, name: "GNOME", process: "gnome-shell", displayConfig: "org.gnome.Mutter.DisplayConfig",
    settings: "org.gnome")
  /// Muffin is a fork of Mutter 3.36. It has no `PanelOrientationManaged`: it always rotates while the lock is off.
  static let cinnamon = Self(
    .cinnamon, name: "Cinnamon", process: "cinnamon", displayConfig: "org.cinnamon.Muffin.DisplayConfig",
    settings: "org.cinnamon")
  static let all = [gnome, cinnamon]

  init(
    _ kind: BackendKind, name: String, process: String, displayConfig: String, settings: String
  ) {
    self.kind = kind
    self.name = name
    self.process = process
    self.displayConfig = BusTarget(
      service: displayConfig, path: "/" + displayConfig.replacing(".", with: "/"), interface: displayConfig)
    self.settings = settings
  }

  /// On the session bus.
  var service: String { displayConfig.service }
  /// The GSettings schema of `orientation-lock`.
  var lockSchema: String { "\(settings).settings-daemon.peripherals.touchscreen" }
  /// The GSettings schema of `send-events`, for all touchpads.
  var touchpadSchema: String { "\(settings).desktop.peripherals.touchpad" }
}
