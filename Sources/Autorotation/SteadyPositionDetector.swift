// SPDX-License-Identifier: MIT

/// Detects that a device has been held still for a while, and measures gravity there.
package struct SteadyPositionDetector: Sendable {
  private let span: Double
  private var samples: [(time: Instant, value: Acceleration)] = []

  /// - Parameter seconds: how long it must be still.
  package init(seconds: Double) {
    span = seconds
  }

  package mutating func add(_ value: Acceleration, at time: Instant) {
    if let last = samples.last, time.seconds(since: last.time) > Self.maximumGap || time < last.time {
      samples = []
    }
    samples.append((time, value))
    // One sample before the span is kept, so that the samples cover all of it.
    while samples.count > 2, time.seconds(since: samples[1].time) >= span { samples.removeFirst() }
  }

  package mutating func restart() {
    samples = []
  }

  /// The mean over the span, m/s²; `nil` unless the device was still for all of it.
  package var steadyMean: Acceleration? {
    guard let first = samples.first, let last = samples.last, last.time.seconds(since: first.time) >= span,
      samples.count >= Self.minimumSamples
    else { return nil }
    let points = samples.map { Vector($0.value) }
    let mean = points.reduce(.zero, +) / Double(points.count)
    let sways = points.map { $0 - mean }
    let variance = sways.reduce(.zero) { $0 + $1 * $1 } / Double(points.count)
    let isStill = sways.allSatisfy { $0.squared < Self.maximumSway * Self.maximumSway }
    guard isStill, variance.max() < Self.maximumVariance else { return nil }
    return Acceleration(x: mean.x, y: mean.y, z: mean.z)
  }

  /// (0.4 m/s²)²: a hand that holds a device still sways by half that.
  private static let maximumVariance = 0.16
  /// m/s²; some 9° of tilt, or a knock.
  private static let maximumSway = 1.5
  /// Seconds.
  private static let maximumGap = 1.0
  private static let minimumSamples = 5
}
