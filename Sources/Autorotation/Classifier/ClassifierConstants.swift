// SPDX-License-Identifier: MIT

/// The constants of a decision: one set for the accelerometer alone, and one for a trusted gyroscope.
///
/// docs/classifier.md shows, for each constant, what happens without it.
struct ClassifierConstants: Sendable {
  /// Seconds of dwell per (m/s²)² of noise.
  var dwellPerNoise: Double
  /// Radians off the axis of the current orientation: beyond that, a device at rest begins to count as rotated.
  var rotatedEnough: Double
  /// Cotangent of the angle that the steady average must have reached.
  var steadyRatio: Double
  /// Radians beyond `rotatedEnough`: evidence then has a weight of 1.
  var clearlyBeyond: Double
  /// Seconds for which the present speed is extrapolated; with a gyroscope no further than braking takes
  /// (`GravityTracker.predictedAngle`).
  var lead: Double
  /// Seconds. If the device, at its present speed, would leave the quarter again within this time, it is passing
  /// through: a half turn, or a throw.
  var foresight: Double
  /// Radians off the axis of the current orientation: where the quarter is left again.
  var nextDiagonal: Double

  static let accelerometer = Self(
    dwellPerNoise: 0.032, rotatedEnough: 1.0, steadyRatio: 0.64, clearlyBeyond: 0.7, lead: 0.11,
    foresight: 0.33, nextDiagonal: 2.356)
  static let gyroscope = Self(
    dwellPerNoise: 0.01, rotatedEnough: 1.24, steadyRatio: 0.78, clearlyBeyond: 1.0, lead: 0.84,
    foresight: 0.52, nextDiagonal: 2.8)

  /// Seconds. A few steps or potholes shake the device for that long; a longer memory only adds delay.
  static let noiseTime = 0.12
  /// Seconds of dwell when only gravity is measured.
  static let quietDwell = 0.012
  /// Seconds. The longest time for which one sample counts as evidence; at low rates a single one would decide.
  static let maximumStep = 0.05
  /// Seconds. Smooths a tap on the glass, so that no single sample decides.
  static let steadyTime = 0.03
  /// sin² 31°: share of gravity in the plane of the screen above which it is no longer flat.
  static let leaveFlat = 0.265_264_2
  /// sin² 27°: below this it is flat.
  static let enterFlat = 0.206_107_4
}
