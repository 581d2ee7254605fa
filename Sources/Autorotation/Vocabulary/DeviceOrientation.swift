// SPDX-License-Identifier: MIT

/// How the device is held, as its accelerometer tells: UIKit's seven `UIDeviceOrientation`s
/// under the names Linux's iio-sensor-proxy gives them.
///
/// A sensor's frame is the panel's (60-sensor.hwdb), so it reports which edge of the panel is up.
///
/// The raw values are the words of traces, status and bus.
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
}

extension DeviceOrientation {
  private static let quarters: [Self] = [.normal, .leftUp, .bottomUp, .rightUp]

  /// How the casing is held in which a panel that is held like this is mounted so.
  package func ofCasing(withPanelMounted mount: PanelMount) -> Self {
    guard let quarter = Self.quarters.firstIndex(of: self) else { return self }
    return Self.quarters[(quarter - Int(mount.rawValue)) & 3]
  }
}
