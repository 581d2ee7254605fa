// SPDX-License-Identifier: MIT

/// Finds out how an accelerometer is mounted, from what it measures while the device is held in known ways.
///
/// Three of the four holds determine each of the 48 ways in which three axes can be permuted and mirrored
/// (most matrices that people had to find by hand are mirrors); the fourth confirms them.
package struct Calibration: Equatable, Sendable {
  package enum Hold: CaseIterable, Sendable {
    case upright, leftEdgeUp, upsideDown, faceUp

    /// Where gravity then points in the panel's frame.
    fileprivate var direction: Axis {
      switch self {
      case .upright: Axis(index: 1, sign: -1)
      case .leftEdgeUp: Axis(index: 0, sign: 1)
      case .upsideDown: Axis(index: 1, sign: 1)
      case .faceUp: Axis(index: 2, sign: 1)
      }
    }
  }

  package enum Failure: Error, Equatable, Sendable {
    /// |a| in m/s².
    case notGravity(Hold, magnitude: Double)
    /// The cosine of the angle to the nearest axis of the sensor.
    case betweenAxes(Hold, cosine: Double)
    /// Gravity points the same way in both.
    case alike(Hold, Hold)
    /// The two contradict each other: one of them was not what it was said to be.
    case contradictory(Hold, Hold)
    case incomplete
  }

  /// The measurements, each as one axis of the sensor.
  private var measured: [Hold: Axis] = [:]

  package init() {}

  /// The first that is missing, in the order of `Hold`; `nil` when all are there.
  package var next: Hold? { Hold.allCases.first { measured[$0] == nil } }

  /// - Parameter raw: the mean of some time at rest, in the sensor's own frame, m/s².
  package mutating func add(_ hold: Hold, _ raw: Acceleration) throws(Failure) {
    let axis = try Self.axis(raw, in: hold)
    for earlier in Hold.allCases where earlier != hold {
      guard let other = measured[earlier] else { continue }
      let angle = axis.product(other)
      guard angle != hold.direction.product(earlier.direction) else { continue }
      throw angle == 1 ? .alike(hold, earlier) : .contradictory(hold, earlier)
    }
    measured[hold] = axis
  }

  /// The matrix that maps the sensor's axes to the panel's.
  package func matrix() throws(Failure) -> MountMatrix {
    guard next == nil else { throw .incomplete }
    var elements = [Double](repeating: 0, count: 9)
    for (hold, axis) in measured {
      let row = hold.direction
      elements[row.index * 3 + axis.index] = Double(row.sign * axis.sign)
    }
    guard let matrix = MountMatrix(elements) else { throw .incomplete }
    return matrix
  }

  /// The matrix from the means of all holds, in the order of `Hold`.
  package static func matrix(of means: [Acceleration]) throws(Failure) -> MountMatrix {
    var calibration = Self()
    for (hold, mean) in zip(Hold.allCases, means) { try calibration.add(hold, mean) }
    return try calibration.matrix()
  }

  private static func axis(_ raw: Acceleration, in hold: Hold) throws(Failure) -> Axis {
    let magnitude = raw.magnitude
    guard gravity.contains(magnitude) else { throw .notGravity(hold, magnitude: magnitude) }
    let parts = [raw.x, raw.y, raw.z]
    let index = parts.indices.max { abs(parts[$0]) < abs(parts[$1]) } ?? 0
    let cosine = abs(parts[index]) / magnitude
    guard cosine > leastCosine else { throw .betweenAxes(hold, cosine: cosine) }
    return Axis(index: index, sign: parts[index] < 0 ? -1 : 1)
  }

  /// m/s². g ± 20 %: sensors are not that far off, a wrong scale is further.
  private static let gravity = 7.8...11.8
  /// cos 30°: a lid leans back and a hand is not level, yet the next axis is still 60° away.
  private static let leastCosine = 0.866_025_4
}

/// One of the six directions along the axes.
private struct Axis: Equatable, Sendable {
  /// 0, 1, 2 for x, y, z.
  var index: Int
  var sign: Int

  /// 1 if they are the same, −1 if opposite, 0 if at a right angle.
  func product(_ other: Self) -> Int {
    index == other.index ? sign * other.sign : 0
  }
}
