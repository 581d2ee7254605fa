// SPDX-License-Identifier: MIT

import System

/// Whether a touchscreen or pen is part of the machine, judged by what is known of it. docs/decisions.md has the sources.
nonisolated enum TouchOrigin: Equatable, Sendable {
  case builtIn
  /// A pen display of its own.
  case penDisplay
  /// A tablet on the desk: the user does not touch what a screen shows.
  case desk
  /// It may be either: its size decides, or the settings.
  case unknown

  /// libwacom knows the models; the kernel knows whether the user touches what a screen shows; then the bus decides.
  init(of device: TouchPlacement.Device) {
    if let integration = device.integration {
      self = Self(integration)
    } else if device.isDirect == false {
      self = .desk
    } else {
      // Where there is no device manager (a container), nothing speaks against the panel.
      self = device.connection.map { $0 == .board ? .builtIn : .unknown } ?? .builtIn
    }
  }

  private init(_ integration: TabletIntegration) {
    guard integration.contains(.display) else {
      self = .desk
      return
    }
    self = integration.contains(.system) ? .builtIn : .penDisplay
  }
}
