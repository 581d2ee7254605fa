// SPDX-License-Identifier: MIT

/// How quickly the device turns, in rad/s about the axes of `Acceleration`, right-handed: where gravity points, u, moves
/// by du/dt = −w × u.
package struct AngularRate: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// What the sensors of the display measured at one moment.
package struct MotionSample: Equatable, Sendable {
  /// The mean, if the device delivered several since the sample before.
  package var acceleration: Acceleration
  /// `nil` where there is no gyroscope, or nothing new from it.
  package var rate: AngularRate?
  /// Of the samples that `acceleration` is the mean of; `nil` if it is a single one.
  package var magnitudes: Magnitudes?

  /// Of several accelerations: vibration that their mean no longer shows.
  package struct Magnitudes: Equatable, Sendable {
    /// m/s².
    package var mean: Double
    /// Of the squares, (m/s²)².
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
