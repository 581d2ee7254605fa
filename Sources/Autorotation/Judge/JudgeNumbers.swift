// SPDX-License-Identifier: MIT

/// What the judge decides with: one set for the accelerometer alone, and one for when there is a gyroscope that it
/// believes.
///
/// Found by an evolutionary search (CMA-ES) over the public half of the recordings at 50, 25 and 10 Hz and at the
/// daemon's own pace, and then rounded. docs/benchmarks.md says how sure they are.
struct JudgeNumbers: Sendable {
  /// Seconds. A few steps or potholes shake the device for that long; a longer memory only adds delay.
  var noiseTime: Double
  /// Seconds. Smooths a tap on the glass, so that no single sample decides.
  var steadyTime: Double
  /// Seconds. Only the latest speed counts, since a hand stops within 0.1 s.
  var spinTime: Double
  /// Seconds. The same for how it slows down.
  var slowingTime: Double
  /// Seconds of dwell when nothing but gravity is measured.
  var quietDwell: Double
  /// Seconds of dwell per (m/s²)² of noise.
  var dwellPerNoise: Double
  /// Radians off the axis of what is held: from there on a device at rest begins to count as turned.
  var turnedEnough: Double
  /// Radians: from that far beyond, evidence has a weight of 1.
  var clearlyBeyond: Double
  /// The highest weight of evidence.
  var heaviest: Double
  /// Seconds for which the turn is assumed to continue: a hand needs that long to stop.
  var lead: Double
  /// Seconds. If the device would leave the quarter again within this time at its present speed, it is passing through:
  /// a half turn, or a throw.
  var foresight: Double
  /// Radians off the axis of what is held: where the quarter is left again.
  var nextDiagonal: Double
  /// How much of the present slowing is believed in.
  var braking: Double
  /// Seconds. With few samples a second a single one would decide; it counts for no more than this.
  var longestStep: Double
  /// The cotangent of the angle off the axis of what is held must be below this, on the average of `steadyTime`.
  var steadyRatio: Double
  /// Seconds in which the gyroscope's gravity is drawn to the accelerometer's when nothing shakes; and by how many times
  /// that more for each (m/s²)² of noise.
  var gravityTime = 0.0
  var gravityTimePerNoise = 0.0

  /// sin² 31°: share of gravity in the plane of the screen above which it is no longer flat.
  static let leaveFlat = 0.265_264_2
  /// sin² 27°: below this it is flat.
  static let enterFlat = 0.206_107_4

  static let accelerometer = Self(
    noiseTime: 0.14, steadyTime: 0.035, spinTime: 0.015, slowingTime: 0.037, quietDwell: 0.0115,
    dwellPerNoise: 0.044, turnedEnough: 1.028, clearlyBeyond: 0.373, heaviest: 1.7, lead: 0.12,
    foresight: 0.435, nextDiagonal: 2.417, braking: 0.27, longestStep: 0.07, steadyRatio: 0.72)

  static let gyroscope = Self(
    noiseTime: 0.26, steadyTime: 0.01, spinTime: 0.003, slowingTime: 0.024, quietDwell: 0.0145,
    dwellPerNoise: 0.015, turnedEnough: 1.21, clearlyBeyond: 0.9, heaviest: 10, lead: 0.85, foresight: 0.5,
    nextDiagonal: 2.73, braking: 0.56, longestStep: 0.1, steadyRatio: 0.754, gravityTime: 0.55,
    gravityTimePerNoise: 0.22)
}
