// SPDX-License-Identifier: MIT

import Configuration
import DesktopBackends

/// What a person wants while the device is a tablet.
struct TabletSettings: Equatable {
  /// `nil` to leave all input devices on.
  var disabledInput: DisabledInput?
  /// A program and its arguments; empty for none.
  var onScreenKeyboard: [String] = []

  var isNothing: Bool { self == TabletSettings() }
}

extension Configuration {
  var tabletSettings: TabletSettings {
    TabletSettings(
      disabledInput: machine.disablesInput ? DisabledInput(names: machine.disabledDevices) : nil,
      onScreenKeyboard: machine.onScreenKeyboard)
  }
}
