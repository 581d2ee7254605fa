// SPDX-License-Identifier: MIT

import System

/// Whether a touchscreen or pen is part of the machine. docs/decisions.md has the sources.
nonisolated enum TouchOrigin: Equatable, Sendable {
  case builtIn
  /// A separate pen display.
  case penDisplay
  /// A graphics tablet without a screen.
  case screenlessTablet
  /// It may be built in or not: its size decides, or the settings.
  case unknown

  /// libwacom's knowledge of the model has priority, then INPUT_PROP_DIRECT, then the bus.
  init(of device: TouchPlacement.Device) {
    if let integration = device.integration {
      let onDisplay: Self = integration.contains(.system) ? .builtIn : .penDisplay
      self = integration.contains(.display) ? onDisplay : .screenlessTablet
    } else if device.isDirect == false {
      self = .screenlessTablet
    } else {
      // Without udev (in a container), a device counts as built in.
      self = device.connection.map { $0 == .board ? .builtIn : .unknown } ?? .builtIn
    }
  }
}
