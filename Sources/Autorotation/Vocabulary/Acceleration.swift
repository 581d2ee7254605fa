// SPDX-License-Identifier: MIT

/// One accelerometer sample in m/s², in the panel's frame: x to the right, y up, z out of the screen,
/// with the sign that iio-sensor-proxy reads from IIO.
///
/// At rest: normal y = −9.81, left edge up x = +9.81, upside down y = +9.81, right edge up x = −9.81, screen up z =
/// +9.81.
package struct Acceleration: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// m/s².
  package var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// How often the accelerometer is needed: not at all, often enough to notice a movement, or often enough to follow one.
/// UIKit's begin/endGeneratingDeviceOrientationNotifications, with a step in between.
package enum SensorDemand: Equatable, Sendable {
  case off, resting, following

  /// The interval between samples, unless the user set a rate; `nil` if no samples are needed.
  ///
  /// At rest, 300 ms are enough to notice a rotation. Following it at 17 samples per second adds little delay compared
  /// with 50 (docs/benchmarks.md).
  package var interval: Duration? {
    switch self {
    case .off: nil
    case .resting: .milliseconds(300)
    case .following: .milliseconds(60)
    }
  }
}
