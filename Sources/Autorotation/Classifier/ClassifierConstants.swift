// SPDX-License-Identifier: MIT

/// What the classifier decides with: one set for the accelerometer alone, and one for a gyroscope that it trusts.
///
/// docs/classifier.md says what each constant is for, by what happens without it.
struct ClassifierConstants: Sendable {
  /// Seconds of dwell per (m/s²)² of noise.
  var dwellPerNoise: Double
  /// Radians off the axis of the current orientation: from there on a device at rest begins to count as rotated.
  var turnedEnough: Double
  /// Cotangent of the angle that the steady average must have reached.
  var steadyRatio: Double
  /// Radians: from that far beyond, evidence has a weight of 1.
  var clearlyBeyond: Double
  /// Seconds for which the present speed is added to the angle. With a gyroscope no further than braking takes
  /// (`GravityTracker.reach`).
  var lead: Double
  /// Seconds. If the device would leave the quarter again within this time at its present speed, it is passing through:
  /// a half turn, or a throw.
  var foresight: Double
  /// Radians off the axis of the current orientation: where the quarter is left again.
  var nextDiagonal: Double

  static let accelerometer = Self(
    dwellPerNoise: 0.032, turnedEnough: 1.0, steadyRatio: 0.64, clearlyBeyond: 0.7, lead: 0.11,
    foresight: 0.33,
    nextDiagonal: 2.356)
  static let gyroscope = Self(
    dwellPerNoise: 0.015, turnedEnough: 1.18, steadyRatio: 0.78, clearlyBeyond: 0.9, lead: 0.75,
    foresight: 0.5,
    nextDiagonal: 2.73)

  /// Seconds. A few steps or potholes shake the device for that long; a longer memory only adds delay.
  static let noiseTime = 0.12
  /// Seconds of dwell when nothing but gravity is measured.
  static let quietDwell = 0.012
  /// Seconds. With few samples a second a single one would decide; it counts for no more than this.
  static let longestStep = 0.05
  /// Seconds. Smooths a tap on the glass, so that no single sample decides.
  static let steadyTime = 0.03
  /// sin² 31°: share of gravity in the plane of the screen above which it is no longer flat.
  static let leaveFlat = 0.265_264_2
  /// sin² 27°: below this it is flat.
  static let enterFlat = 0.206_107_4
}
