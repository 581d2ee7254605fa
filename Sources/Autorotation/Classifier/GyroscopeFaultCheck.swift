// SPDX-License-Identifier: MIT

/// Checks a gyroscope against the accelerometer.
///
/// Two comparisons, since they fail in different ways. The one in motion is quick and decides whether the gyroscope is
/// used: not before it has proved itself. Steps and swings disturb it, so it never reports a fault. The one from rest
/// to rest is rare but sure: before and after a rotation the accelerometer measures only gravity, so a wrong prediction
/// is the gyroscope's fault.
struct GyroscopeFaultCheck {
  private var motion = MotionComparison()
  private var rests = RestComparison()

  var isTrusted: Bool { motion.agrees && rests.contradictions == 0 }
  var isContradicted: Bool { rests.contradictions > 0 }
  /// Whether to report it to the user.
  var isFaulty: Bool { rests.contradictions > 2 }
  /// The factor that corrects its rates.
  var gain: Double { rests.gain }

  /// After a gap. What was learned of the gyroscope is kept.
  mutating func begin() {
    motion.begin()
    rests.begin()
  }

  /// - Parameters:
  ///   - excess: |a| − g, m/s².
  ///   - rate: rad/s, without bias.
  mutating func add(_ a: Vector, excess: Double, rate: Vector, dt: Double) {
    // Steps move the device mostly up and down. That changes |a|, which says nothing about a rotation.
    let direction = a * (RestingMagnitude.gravity / (RestingMagnitude.gravity + excess))
    motion.add(direction, excess: excess, rate: rate * gain, dt: dt)
    rests.add(a, rate: rate, dt: dt)
  }
}

/// Compares the movement of gravity within the last second by the gyroscope with that by the accelerometer.
///
/// Estimates for each axis of the gyroscope the factor that best explains the accelerometer: weighted least squares
/// with a prior at 1, where the weight of a moment is the inverse of how much it is shaken. The rates of a gyroscope
/// that is reversed, scaled, late or has other axes need other factors, or no factors fit.
private struct MotionComparison {
  private(set) var agrees = false
  /// Mean of (|a| − g)² over the last second, (m/s²)².
  private var roughness = 0.0
  private var before: Vector?
  /// Movement of gravity, m/s²: by each axis of the gyroscope, and by the accelerometer.
  private var predicted = (x: Vector.zero, y: Vector.zero, z: Vector.zero)
  private var observed = Vector.zero
  /// The normal equations: weighted sums, over the last movements, of the products of `predicted` with each other (x x,
  /// y y, z z, and y z, x z, x y) and with `observed`.
  private var normalDiagonal = Vector.zero
  private var normalOffDiagonal = Vector.zero
  private var rightHandSide = Vector.zero
  private var observedSquares = 0.0
  private var time = 0.0

  mutating func begin() {
    before = nil
    predicted = (.zero, .zero, .zero)
    observed = .zero
  }

  /// - Parameter a: the direction of the acceleration, with the length of gravity.
  mutating func add(_ a: Vector, excess: Double, rate w: Vector, dt: Double) {
    let kept = 1 - share(dt, Self.window)
    let step = kept * dt
    predicted.x = predicted.x * kept + Vector(0, a.z, -a.y) * (w.x * step)
    predicted.y = predicted.y * kept + Vector(-a.z, 0, a.x) * (w.y * step)
    predicted.z = predicted.z * kept + Vector(a.y, -a.x, 0) * (w.z * step)
    if let before { observed = (observed + a - before) * kept }
    before = a
    roughness += share(dt, Self.window) * (excess * excess - roughness)
    let moved = (predicted.x + predicted.y + predicted.z).squared
    guard moved > Self.movement || observed.squared > Self.movement && roughness < Self.calm else { return }
    sum(dt)
    decide()
  }

  private mutating func sum(_ dt: Double) {
    let kept = 1 - share(dt, Self.memory)
    let weight = dt / (1 + roughness)
    normalDiagonal =
      normalDiagonal * kept + Vector(predicted.x.squared, predicted.y.squared, predicted.z.squared) * weight
    normalOffDiagonal =
      normalOffDiagonal * kept + Vector(
        predicted.y.dot(predicted.z), predicted.x.dot(predicted.z), predicted.x.dot(predicted.y)) * weight
    rightHandSide =
      rightHandSide * kept + Vector(
        predicted.x.dot(observed), predicted.y.dot(observed), predicted.z.dot(observed)) * weight
    observedSquares = observedSquares * kept + observed.squared * weight
    time = time * kept + dt
  }

  private mutating func decide() {
    guard let factors else { return }
    let off = factors - Vector(repeating: 1)
    let unexplained = (observedSquares - rightHandSide.dot(factors)) / time
    if max(off.max(), -off.min()) > Self.tolerance || unexplained > Self.maximumUnexplained {
      agrees = false
    } else if normalDiagonal.z > Self.proof {
      agrees = true
    }
  }

  /// The factors that best explain the accelerometer: (normal matrix + 1)⁻¹ (right-hand side + 1), 1 being the prior.
  private var factors: Vector? {
    let (d, m) = (normalDiagonal + Vector(repeating: 1), normalOffDiagonal)
    let sums = rightHandSide + Vector(repeating: 1)
    let minors = Vector(d.y * d.z - m.x * m.x, d.x * d.z - m.y * m.y, d.x * d.y - m.z * m.z)
    let others = Vector(m.y * m.z - d.x * m.x, m.x * m.z - d.y * m.y, m.x * m.y - d.z * m.z)
    let determinant = d.x * minors.x + m.z * others.z + m.y * others.y
    guard determinant > 0 else { return nil }
    let solution = Vector(
      Vector(minors.x, others.z, others.y).dot(sums), Vector(others.z, minors.y, others.x).dot(sums),
      Vector(others.y, others.x, minors.z).dot(sums))
    return solution / determinant
  }

  /// Seconds: as long as a rotation takes.
  private static let window = 1.0
  /// (m/s²)²: 6° of a rotation.
  private static let movement = 1.0
  /// (m/s²)²: below that, movement that the gyroscope does not report is compared, too.
  private static let calm = 1.0
  /// Seconds of movement.
  private static let memory = 30.0
  /// The largest deviation of a factor from 1.
  private static let tolerance = 0.25
  /// (m/s²)² per (m/s²)² of shaking.
  private static let maximumUnexplained = 2.5
  /// Information about rotation in the plane of the screen, relative to the prior's: half a turn in a quiet hand.
  private static let proof = 1.0
}

/// Predicts from the rates the direction of gravity after a rotation from one rest to the next.
///
/// Learns the gyroscope's gain from the error and the derivative of the prediction by the gain.
private struct RestComparison {
  /// Rotations that were predicted wrongly, less those that were predicted rightly.
  private(set) var contradictions = 0
  private(set) var gain = 1.0
  private var mean = Vector.zero
  private var variance = 1.0
  /// Direction of gravity at the last rest, of length 1.
  private var anchor: Vector?
  private var predicted = Vector.zero
  /// Derivative of `predicted` by the gain.
  private var sensitivity = Vector.zero
  /// Seconds since the anchor.
  private var age = 0.0
  private var errors = 0.0
  private var information = 1.0

  mutating func begin() {
    anchor = nil
    variance = 1
  }

  mutating func add(_ a: Vector, rate: Vector, dt: Double) {
    let part = share(dt, ClassifierConstants.noiseTime)
    let difference = a - mean
    mean += part * difference
    variance += part * (difference.squared - variance)
    age += dt
    if anchor != nil {
      sensitivity -= (rate.cross(predicted) + rate.cross(sensitivity)) * dt
      predicted = GravityTracker.rotate(predicted, by: rate, dt)
    }
    guard variance < 2 * RestingMagnitude.restVariance, RestingMagnitude.isPlausible(mean.magnitude) else {
      return
    }
    compare(mean / mean.magnitude)
  }

  /// The device is at rest, with gravity in this direction.
  private mutating func compare(_ gravity: Vector) {
    if let anchor, age < Self.longest {
      let moved = (gravity - anchor).squared
      if moved > Self.movement {
        learn(gravity - predicted, moved)
      } else if age < 1 {
        return
      }
    }
    (anchor, predicted, sensitivity, age) = (gravity, gravity, .zero, 0)
  }

  private mutating func learn(_ error: Vector, _ moved: Double) {
    contradictions = max(0, contradictions + (2 * error.squared > moved ? 1 : -1))
    errors += sensitivity.dot(error)
    information += sensitivity.squared
    gain = 1 + errors / information
  }

  /// Chord² of 60° on the unit sphere.
  private static let movement = 1.0
  /// Seconds, after which the bias adds too much.
  private static let longest = 4.0
}

/// Learns the end of a gyroscope's range: it reports quicker rotations as exactly that rate, again and again.
///
/// Noise keeps a rate from repeating, so two equal samples in a row of the largest rate so far are the end.
struct GyroscopeRange {
  /// Whether the last sample was at the end of the range, so that the true rate of that axis is unknown.
  private(set) var isExceeded = false
  /// rad/s. Ranges of ±125° a second and less are not used for motion.
  private var largest = 2.0
  private var isEnd = false
  private var last = Vector.zero

  mutating func add(_ rate: Vector) {
    let sizes = Vector(abs(rate.x), abs(rate.y), abs(rate.z))
    let top = sizes.max()
    if top > largest {
      largest = top
      isEnd = false
    } else if top == largest {
      isEnd = isEnd || (0..<Vector.scalarCount).contains { sizes[$0] == top && last[$0] == top }
    }
    isExceeded = isEnd && top == largest
    last = sizes
  }
}
