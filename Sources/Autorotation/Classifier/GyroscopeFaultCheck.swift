// SPDX-License-Identifier: MIT

/// Whether a gyroscope reports what the accelerometer shows.
///
/// Two comparisons, since they fail in different ways. The one in motion is quick and decides whether the gyroscope is
/// used: it is not before it has proved itself. Steps and swings disturb it, so it accuses nobody. The one from rest to
/// rest is rare but sure: before and after a rotation the accelerometer shows gravity and nothing else, so a wrong
/// prediction is the gyroscope's.
struct GyroscopeFaultCheck {
  private var motion = MotionComparison()
  private var rests = RestComparison()

  var isTrusted: Bool { motion.agrees && rests.contradictions == 0 }
  var isContradicted: Bool { rests.contradictions > 0 }
  /// Whether the user should know.
  var isFaulty: Bool { rests.contradictions > 2 }
  /// What to multiply its rates by.
  var gain: Double { rests.gain }

  /// After a gap. What is known of the gyroscope stays.
  mutating func begin() {
    motion.begin()
    rests.begin()
  }

  /// - Parameters:
  ///   - excess: |a| − g, m/s².
  ///   - rate: rad/s, without bias.
  mutating func add(_ a: Vector, excess: Double, rate: Vector, dt: Double) {
    motion.add(a, excess: excess, rate: rate * gain, dt: dt)
    rests.add(a, rate: rate, dt: dt)
  }
}

/// Compares how gravity has moved within the last second, as the gyroscope reports it and as the accelerometer shows it.
///
/// For each axis of the gyroscope the factor that explains best what was seen: weighted least squares with a prior at 1,
/// the weight of a moment being the inverse of what shakes in it. A gyroscope that is reversed, scaled, late or has other
/// axes is explained by other factors, or not at all.
private struct MotionComparison {
  private(set) var agrees = false
  private var hasBefore = false
  /// Mean of (|a| − g)² over the last second, (m/s²)².
  private var roughness = 0.0
  private var before = Vector.zero
  /// How gravity has moved, m/s²: by each axis of the gyroscope, and as seen.
  private var told = (x: Vector.zero, y: Vector.zero, z: Vector.zero)
  private var seen = Vector.zero
  /// Weighted sums over the last movements: of the products of `told` with each other, x x, y y, z z and y z, x z, x y, and with `seen`.
  private var own = Vector.zero
  private var mixed = Vector.zero
  private var both = Vector.zero
  private var all = 0.0
  private var time = 0.0

  mutating func begin() {
    hasBefore = false
    told = (.zero, .zero, .zero)
    seen = .zero
  }

  mutating func add(_ a: Vector, excess: Double, rate w: Vector, dt: Double) {
    let kept = 1 - share(dt, Self.window)
    let step = kept * dt
    told.x = told.x * kept + Vector(0, a.z, -a.y) * (w.x * step)
    told.y = told.y * kept + Vector(-a.z, 0, a.x) * (w.y * step)
    told.z = told.z * kept + Vector(a.y, -a.x, 0) * (w.z * step)
    if hasBefore { seen = (seen + a - before) * kept }
    (before, hasBefore) = (a, true)
    roughness += share(dt, Self.window) * (excess * excess - roughness)
    let moved = (told.x + told.y + told.z).squared
    guard moved > Self.movement || seen.squared > Self.movement && roughness < Self.calm else { return }
    sum(dt)
    decide()
  }

  private mutating func sum(_ dt: Double) {
    let kept = 1 - share(dt, Self.memory)
    let weight = dt / (1 + roughness)
    own = own * kept + Vector(told.x.squared, told.y.squared, told.z.squared) * weight
    mixed = mixed * kept + Vector(told.y.dot(told.z), told.x.dot(told.z), told.x.dot(told.y)) * weight
    both = both * kept + Vector(told.x.dot(seen), told.y.dot(seen), told.z.dot(seen)) * weight
    all = all * kept + seen.squared * weight
    time = time * kept + dt
  }

  private mutating func decide() {
    guard let factors else { return }
    let off = factors - Vector(repeating: 1)
    let unexplained = (all - both.dot(factors)) / time
    if max(off.max(), -off.min()) > Self.tolerance || unexplained > Self.largestUnexplained {
      agrees = false
    } else if own.z > Self.proof {
      agrees = true
    }
  }

  /// By which each axis's rates would explain best what was seen: (own + 1)⁻¹ (both + 1), 1 being the prior.
  private var factors: Vector? {
    let (d, sums) = (own + Vector(repeating: 1), both + Vector(repeating: 1))
    let minors = Vector(
      d.y * d.z - mixed.x * mixed.x, d.x * d.z - mixed.y * mixed.y, d.x * d.y - mixed.z * mixed.z)
    let others = Vector(
      mixed.y * mixed.z - d.x * mixed.x, mixed.x * mixed.z - d.y * mixed.y, mixed.x * mixed.y - d.z * mixed.z)
    let determinant = d.x * minors.x + mixed.z * others.z + mixed.y * others.y
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
  /// (m/s²)²: below that, movement that the gyroscope does not report counts, too.
  private static let calm = 1.0
  /// Seconds of movement.
  private static let memory = 30.0
  /// How far a factor may be from 1.
  private static let tolerance = 0.3
  /// Of the square of what was seen, per what shook.
  private static let largestUnexplained = 4.0
  /// Information about rotation in the plane of the screen, per that of the prior: half a turn in a quiet hand.
  private static let proof = 1.0
}

/// Predicts from the rates where gravity points after a rotation from one rest to the next.
///
/// Learns a factor of the gyroscope from the error along how the prediction changes with it.
private struct RestComparison {
  /// Rotations that it reported wrongly, less those that it reported rightly.
  private(set) var contradictions = 0
  private(set) var gain = 1.0
  private var mean = Vector.zero
  private var variance = 1.0
  /// Where gravity pointed at the rest before, of length 1.
  private var anchor = Vector.zero
  private var isAnchored = false
  private var predicted = Vector.zero
  /// Derivative of `predicted` by the gain.
  private var sensitivity = Vector.zero
  /// Seconds since the anchor.
  private var age = 0.0
  private var errors = 0.0
  private var information = 1.0

  mutating func begin() {
    isAnchored = false
    variance = 1
  }

  mutating func add(_ a: Vector, rate: Vector, dt: Double) {
    let part = share(dt, ClassifierConstants.noiseTime)
    let difference = a - mean
    mean += part * difference
    variance += part * (difference.squared - variance)
    age += dt
    if isAnchored {
      sensitivity -= (rate.cross(predicted) + rate.cross(sensitivity)) * dt
      predicted = GravityTracker.turn(predicted, by: rate, dt)
    }
    guard variance < 2 * RestingMagnitude.quiet, RestingMagnitude.isPlausible(mean.length) else { return }
    compare(mean / mean.length)
  }

  /// The device rests, and that is where gravity points.
  private mutating func compare(_ gravity: Vector) {
    if isAnchored, age < Self.longest {
      let moved = (gravity - anchor).squared
      if moved > Self.movement {
        learn(gravity - predicted, moved)
      } else if age < 1 {
        return
      }
    }
    (anchor, predicted, sensitivity, age, isAnchored) = (gravity, gravity, .zero, 0, true)
  }

  private mutating func learn(_ error: Vector, _ moved: Double) {
    contradictions = max(0, contradictions + (2 * error.squared > moved ? 1 : -1))
    errors += sensitivity.dot(error)
    information += sensitivity.squared
    gain = 1 + errors / information
  }

  /// Chord² of 60° on the unit sphere.
  private static let movement = 1.0
  /// Seconds, after which the bias has added too much.
  private static let longest = 4.0
}
