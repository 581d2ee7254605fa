// SPDX-License-Identifier: MIT

// Found by an evolutionary search (CMA-ES) over the public half of the recordings at 50, 25 and 10 Hz and at the
// daemon's own pace, checked by leaving out one kind of recording after the other, and then rounded. Any of them
// may be 20 % off at a cost of at most two wrong turns per hour (docs/benchmarks.md).
extension OrientationClassifier {
  /// Standard gravity, m/s² (CGPM 1901).
  static let gravity = 9.80665
  /// m/s². The widest range of the usual accelerometers is ±16 g.
  static let highestMagnitude = 280.0
  /// m/s². A quick turn about an axis beside the sensor shows 10 and more; were it counted in full, the judge would
  /// go on waiting long after the hand has come to rest.
  static let largestDeviation = 4.0
  /// Seconds. A few steps or potholes shake the device for that long; a longer memory only adds delay.
  static let noiseTime = 0.14
  /// Seconds. Smooths a tap on the glass, so that no single sample decides.
  static let steadyTime = 0.03
  /// Seconds. Only the latest speed counts, since a hand stops within 0.1 s.
  static let spinTime = 0.015
  /// Radians per second. Anything faster is a blow: a half turn in 0.5 s peaks here.
  static let quickestHand = 12.0
  /// Seconds of dwell when |a| is g: at 57° some samples, at 80° one.
  static let quietDwell = 0.012
  /// Seconds of dwell per (m/s²)² of noise.
  static let dwellPerNoise = 0.04
  /// Seconds. The longest that anybody waits, even when running.
  static let longestDwell = 0.7
  /// Seconds. With few samples a second a single one would decide; it counts for no more than one at the daemon's
  /// pace of following.
  static let longestStep = 0.07
  /// Seconds of samples before the first decision, and before any after a gap.
  static let warmUp = 0.05
  /// 57° in radians: 12° past the diagonal, where a device at rest begins to count as turned.
  static let turnedEnough = 0.994_837_7
  /// The same, as a cotangent: below it the device counts as turned.
  static let turnedRatio = 0.649_407_6
  /// 21° in radians: from that far beyond, evidence has its full weight.
  static let clearlyBeyond = 0.366_519_1
  /// Of evidence at 86° and more.
  static let heaviest = 1.4
  /// Seconds for which the turn is assumed to continue: a hand needs that long to stop.
  static let lead = 0.13
  /// Seconds. If the device would leave the quarter again within this time at its present speed, it is passing through:
  /// a half turn, or a throw.
  static let foresight = 0.38
  /// 135° in radians.
  static let nextDiagonal = 2.356_194_5
  /// A half turn may be the middle of three quarters; it needs this much more evidence.
  static let oppositeFactor = 1.5
  /// sin² 31°: share of gravity in the plane of the screen above which it is no longer flat.
  static let leaveFlat = 0.265_264_2
  /// sin² 27°: below this it is flat.
  static let enterFlat = 0.206_107_4
  /// Seconds taken for the step before the first sample: one at 50 Hz.
  static let firstStep = 0.02
  /// Seconds. After a longer gap the filters start over.
  static let longestGap = 1.0
  /// (0.35 m/s²)²: a device on a desk stays well below.
  static let restlessNoise = 0.1225
  /// cos² 20°.
  static let upright = 0.883_022_2
  /// m/s², some 3° of tilt.
  static let smallestMove = 0.5
  /// Seconds of stillness after which even a tilted device is at rest.
  static let stillAfter = 5.0
  /// Seconds from the last movement until slow samples suffice.
  static let calmDown = 0.3
}
