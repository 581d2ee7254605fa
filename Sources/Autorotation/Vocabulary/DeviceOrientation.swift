// SPDX-License-Identifier: MIT

/// The device orientation that the accelerometer shows: UIKit's seven `UIDeviceOrientation`s under the names of Linux's
/// iio-sensor-proxy.
///
/// A sensor's frame is the panel's (60-sensor.hwdb), so it reports which edge of the panel is up.
///
/// The raw values are used in traces, status and on the bus.
package enum DeviceOrientation: String, CaseIterable, Sendable {
  case unknown
  /// The top edge of the screen is up.
  case normal
  /// The left edge of the screen is up.
  case leftUp = "left-up"
  /// Upside down.
  case bottomUp = "bottom-up"
  /// The right edge of the screen is up.
  case rightUp = "right-up"
  case faceUp = "face-up"
  case faceDown = "face-down"

  /// Each is a quarter turn from the one before.
  package static let upright: [Self] = [.normal, .leftUp, .bottomUp, .rightUp]

  /// The orientation of the casing if this is that of a panel mounted like that.
  package func ofCasing(withPanelMounted mount: PanelMount) -> Self {
    guard let quarter = Self.upright.firstIndex(of: self) else { return self }
    return Self.upright[(quarter - Int(mount.rawValue)) & 3]
  }

  /// The name in sentences for users.
  /// - Parameter panel: as for `InterfaceOrientation.name(on:)`.
  package func name(on panel: PanelAspect?) -> Phrase {
    switch self {
    case .faceUp: "face up"
    case .faceDown: "face down"
    default: InterfaceOrientation(self)?.name(on: panel) ?? "unknown"
    }
  }
}
