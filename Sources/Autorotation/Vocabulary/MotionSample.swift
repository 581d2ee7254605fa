// SPDX-License-Identifier: MIT

/// One accelerometer sample in m/s², in the panel's frame: x to the right, y up, z out of the screen,
/// with the sign that iio-sensor-proxy reads from IIO.
///
/// At rest: normal y = −9.81, left edge up x = +9.81, upside down y = +9.81, right edge up x = −9.81, screen up z =
/// +9.81.
package typealias Acceleration = SIMD3<Double>

/// How quickly the device rotates, in rad/s about the axes of `Acceleration`, right-handed: the direction of gravity,
/// u, moves by du/dt = −w × u.
package typealias AngularRate = SIMD3<Double>

/// A sample of the sensors in the display.
package struct MotionSample: Equatable, Sendable {
  /// The mean, if there were several samples since the last one.
  package var acceleration: Acceleration
  /// `nil` if there is no gyroscope or no new rate.
  package var rate: AngularRate?
  /// Of the samples averaged in `acceleration`; `nil` if it is a single one.
  package var magnitudes: Magnitudes?

  /// Of several accelerations: keeps the vibration that is lost in their mean.
  package struct Magnitudes: Equatable, Sendable {
    /// m/s².
    package var mean: Double
    /// Mean of the squares, (m/s²)².
    package var meanSquare: Double

    package init(mean: Double, meanSquare: Double) {
      self.mean = mean
      self.meanSquare = meanSquare
    }
  }

  package init(_ acceleration: Acceleration, rate: AngularRate? = nil, magnitudes: Magnitudes? = nil) {
    self.acceleration = acceleration
    self.rate = rate
    self.magnitudes = magnitudes
  }
}
