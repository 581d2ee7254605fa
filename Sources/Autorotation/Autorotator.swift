// SPDX-License-Identifier: MIT

/// Everything that can happen.
package enum Event: Equatable, Sendable {
  /// A sample of the accelerometer, in the panel's frame.
  case acceleration(Acceleration)
  /// A sensor that classifies itself (iio-sensor-proxy) says how the device is held.
  case deviceTurned(DeviceOrientation)
  case sensorFound(name: String)
  /// `reason` is a sentence for the person, with the next step where there is one.
  case sensorLost(reason: String)
  /// The first finger came down on the touchscreen; the last one went up.
  case touchBegan, touchEnded
  case postureChanged(Posture)
  case focusChanged(Window?)
  /// All displays, each time any of them changes.
  case outputsChanged([Output])
}
