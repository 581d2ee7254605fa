// SPDX-License-Identifier: MIT

/// Determines how an accelerometer is mounted from measurements in known positions of the device.
///
/// Three of the four positions determine each of the 48 ways in which three axes can be permuted and mirrored (most
/// matrices that users had to find by hand are mirrors); the fourth confirms them.
package struct Calibration: Equatable, Sendable {
  package enum Position: CaseIterable, Sendable {
    case upright, leftEdgeUp, upsideDown, faceUp

    /// The direction of gravity in the panel's frame.
    fileprivate var direction: Vector {
      switch self {
      case .upright: Vector(0, -1, 0)
      case .leftEdgeUp: Vector(1, 0, 0)
      case .upsideDown: Vector(0, 1, 0)
      case .faceUp: Vector(0, 0, 1)
      }
    }
  }

  package enum Failure: Error, Equatable, Sendable {
    /// |a| in m/s².
    case notGravity(Position, magnitude: Double)
    /// The cosine of the angle to the nearest axis of the sensor.
    case betweenAxes(Position, cosine: Double)
    /// Both have the same direction of gravity.
    case sameDirection(Position, Position)
    /// They contradict each other: in one, the device was in another position.
    case contradictory(Position, Position)
    case incomplete
  }

  /// The measurements, each as a direction along one axis of the sensor.
  private var axes: [Position: Vector] = [:]
  /// The measurements themselves, m/s².
  private var means: [Position: Acceleration] = [:]

  package init() {}

  /// The first position without a measurement, in the order of `Position`; `nil` when all have one.
  package var next: Position? { Position.allCases.first { axes[$0] == nil } }

  /// - Parameter raw: the mean over some time at rest, in the sensor's own frame, m/s².
  package mutating func add(_ position: Position, _ raw: Acceleration) throws(Failure) {
    let axis = try Self.axis(raw, in: position)
    for earlier in Position.allCases where earlier != position {
      guard let other = axes[earlier] else { continue }
      let angle = axis.dot(other)
      guard angle != position.direction.dot(earlier.direction) else { continue }
      throw angle == 1 ? .sameDirection(position, earlier) : .contradictory(position, earlier)
    }
    (axes[position], means[position]) = (axis, raw)
  }

  /// Whether the device has not left an orientation that is already measured, or is back in one. No valid measurement
  /// of another position is that close.
  package func isNearMeasured(_ raw: Acceleration) -> Bool {
    means.values.contains { mean in
      mean.dot(raw) > Self.minimumCosine * mean.magnitude * raw.magnitude
    }
  }

  /// The matrix that maps the sensor's axes to the panel's.
  package func matrix() throws(Failure) -> MountMatrix {
    guard next == nil, let x = axes[.leftEdgeUp], let y = axes[.upsideDown], let z = axes[.faceUp],
      let matrix = MountMatrix([x, y, z].flatMap { [$0.x, $0.y, $0.z] })
    else { throw .incomplete }
    return matrix
  }

  /// The matrix from the means of all positions, in the order of `Position`.
  package static func matrix(of means: [Acceleration]) throws(Failure) -> MountMatrix {
    var calibration = Self()
    for (position, mean) in zip(Position.allCases, means) { try calibration.add(position, mean) }
    return try calibration.matrix()
  }

  /// The position that was probably held the other way, if the matrix mirrors an axis: only some drivers need that.
  ///
  /// Any of the axes may be the wrong one; with the other two as in the panel's frame, it is the third.
  package static func doubtfulPosition(in matrix: MountMatrix) -> Position? {
    guard matrix.determinant < 0 else { return nil }
    let isFlatDoubtful = matrix.elements[0] == 1 && matrix.elements[4] == 1
    return isFlatDoubtful ? .faceUp : .leftEdgeUp
  }

  private static func axis(_ raw: Acceleration, in position: Position) throws(Failure) -> Vector {
    let magnitude = raw.magnitude
    guard gravity.contains(magnitude) else { throw .notGravity(position, magnitude: magnitude) }
    let index = raw.indices.max { abs(raw[$0]) < abs(raw[$1]) } ?? 0
    let cosine = abs(raw[index]) / magnitude
    guard cosine > minimumCosine else { throw .betweenAxes(position, cosine: cosine) }
    var axis = Vector.zero
    axis[index] = raw[index] < 0 ? -1 : 1
    return axis
  }

  /// m/s². A sensor whose readings at rest are that small reports only zeros.
  package static let zeros = 0..<0.5
  /// m/s². g ± 20 %: sensors are not that inaccurate; a wrong scale is outside.
  private static let gravity = 7.8...11.8
  /// cos 30°: a lid leans back and a hand is not level, yet the next axis is still 60° away.
  private static let minimumCosine = 0.866_025_4
}

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
    let points = samples.map(\.value)
    let mean = points.reduce(.zero, +) / Double(points.count)
    let sways = points.map { $0 - mean }
    let variance = sways.reduce(.zero) { $0 + $1 * $1 } / Double(points.count)
    let isStill = sways.allSatisfy { $0.squared < Self.maximumSway * Self.maximumSway }
    guard isStill, variance.max() < Self.maximumVariance else { return nil }
    return mean
  }

  /// (0.4 m/s²)²: a hand that holds a device still sways by half that.
  private static let maximumVariance = 0.16
  /// m/s²; some 9° of tilt, or a knock.
  private static let maximumSway = 1.5
  /// Seconds.
  private static let maximumGap = 1.0
  private static let minimumSamples = 5
}
