// SPDX-License-Identifier: MIT

/// Finds out how a gyroscope is mounted, from what it tells of the turns between the holds of a calibration.
///
/// Each of the 24 ways in which three right-handed axes can lie is tried: gravity of one hold, turned by the rates, must
/// come to where it is in the next. What it tells of a device at rest is taken off first.
package struct GyroscopeCalibration: Sendable {
  /// What became of it.
  package enum Finding: Equatable, Sendable {
    /// The matrix that maps its axes to the panel's.
    case mounted(MountMatrix)
    /// It does not tell of the turns, in whatever way it is mounted.
    case useless

    /// Whether its axes lie as those of an accelerometer that is mounted so. (A matrix that mirrors turns a rate the
    /// other way round.)
    package func isAs(_ accelerometer: MountMatrix) -> Bool {
      guard case .mounted(let matrix) = self else { return false }
      let axes = [
        Acceleration(x: 1, y: 0, z: 0), Acceleration(x: 0, y: 1, z: 0), Acceleration(x: 0, y: 0, z: 1),
      ]
      let (ours, theirs) = (axes.map { Vector(matrix($0)) }, axes.map { Vector(accelerometer($0)) })
      let handedness = theirs[0].cross(theirs[1]).dot(theirs[2])
      return zip(ours, theirs).allSatisfy { ($0 - $1 * handedness).squared < 0.01 }
    }
  }

  /// From one hold to the next.
  private struct Turn {
    /// In the accelerometer's frame, m/s².
    let from: Acceleration
    let to: Acceleration
    let rates: [(rate: Vector, dt: Double)]
  }

  private var turns: [Turn] = []
  private var rates: [(rate: Vector, dt: Double)] = []
  private var latest: Instant?
  private var place: Acceleration?

  package init() {}

  /// A sample of the gyroscope in its own frame, rad/s.
  package mutating func add(_ rate: AngularRate, at now: Instant) {
    defer { latest = now }
    guard let latest, rates.count < Self.longestTurn else { return }
    rates.append((Vector(rate), max(0, now.seconds(since: latest))))
  }

  /// A hold is taken: the device has just been still there.
  /// - Parameter raw: in the accelerometer's frame, m/s².
  package mutating func hold(_ raw: Acceleration) {
    if let place, !rates.isEmpty { turns.append(Turn(from: place, to: raw, rates: withoutBias())) }
    place = raw
    rates = []
  }

  /// The last second of the samples was at rest.
  private func withoutBias() -> [(rate: Vector, dt: Double)] {
    var (sum, time) = (Vector.zero, 0.0)
    for (rate, dt) in rates.reversed() where time < Self.restTime {
      sum += rate * dt
      time += dt
    }
    let bias = time > 0 ? sum / time : .zero
    return rates.map { ($0.rate - bias, $0.dt) }
  }

  /// - Parameter mount: of the accelerometer, to the panel's frame.
  /// - Returns: `nil` if there was no gyroscope.
  package func finding(_ mount: MountMatrix) -> Finding? {
    guard turns.count >= Self.fewestTurns else { return nil }
    let errors = MountMatrix.rotations.map { ($0, error(of: $0, mount)) }.sorted { $0.1 < $1.1 }
    guard let best = errors.first, best.1 < Self.largestError, errors[1].1 > best.1 + Self.clearly else {
      return .useless
    }
    return .mounted(best.0)
  }

  /// Of the worst turn: the sine of half the angle between where gravity came and where it should have.
  private func error(of candidate: MountMatrix, _ mount: MountMatrix) -> Double {
    turns.map { turn in
      var gravity = Vector(mount(turn.from)).direction
      for (raw, dt) in turn.rates {
        let w = candidate(Acceleration(x: raw.x, y: raw.y, z: raw.z))
        gravity = GravityTracker.turn(gravity, by: Vector(w), dt)
      }
      return (gravity - Vector(mount(turn.to)).direction).length / 2
    }.max() ?? 1
  }

  /// Samples: a minute and more at 25 a second.
  private static let longestTurn = 2_000
  private static let fewestTurns = 3
  /// Seconds.
  private static let restTime = 1.0
  /// 40°: hands take their time, and gyroscopes drift.
  private static let largestError = 0.34
  /// 17° of the next best.
  private static let clearly = 0.15
}

extension MountMatrix {
  /// All ways in which the axes of a right-handed sensor can lie along the panel's.
  static let rotations: [MountMatrix] = {
    let axes = [Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)].flatMap { [$0, -$0] }
    return axes.flatMap { x in
      axes.filter { $0.dot(x) == 0 }.compactMap { y in
        let z = x.cross(y)
        return MountMatrix([x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z])
      }
    }
  }()
}

extension Vector {
  fileprivate var direction: Vector { self / Swift.max(length, 1e-9) }
}
