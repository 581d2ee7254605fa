// SPDX-License-Identifier: MIT

/// How the device is held, as its accelerometer tells: UIKit's seven `UIDeviceOrientation`s
/// under the names Linux's iio-sensor-proxy gives them.
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
