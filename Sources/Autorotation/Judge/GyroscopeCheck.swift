// SPDX-License-Identifier: MIT

/// Whether a gyroscope tells what the accelerometer shows.
///
/// Both are asked by how much gravity has moved within half a second, and their answers compared over the last seconds of
/// movement. Shaking, which only the accelerometer sees, leaves their correlation where it was; a gyroscope that is
/// reversed, scaled or has other axes does not explain what was seen. One whose samples come late or early explains it
/// better when one of the two is held back for a while.
struct GyroscopeCheck {
  private var agrees = true
  /// Until it has proved itself it is not believed while everything shakes, since then nothing could refute it.
  var isTrusted: Bool { agrees && (now.told > Self.enough || roughness < Self.rough) }
  /// Seconds of clear turning for which it has been distrusted.
  private(set) var disagreed = 0.0

  private var latest = Vector.zero
  /// Seconds for which the rate has been exactly the same: no gyroscope is that quiet while it is turned.
  private var frozen = 0.0

  /// Running mean of (|a| − g)², (m/s²)².
  private var roughness = 0.0
  private var place = Vector.zero
  private var formerPlace = Vector.zero
  /// How gravity has moved lately as the gyroscope tells it, m/s²; and the same as the accelerometer has seen it.
  private var told = Vector.zero
  private var toldSmoothly = Vector.zero
  private var toldBefore = Vector.zero
  private var seenBefore = Vector.zero
  private var now = Correlation()
  /// Out of the plane of the screen: x and y of a gyroscope may be exchanged while z is right.
  private var leaning = Correlation()
  private var bothBefore = Correlation()
  /// The gyroscope late, or the accelerometer.
  private var lateTold = Correlation()
  private var lateSeen = Correlation()

  /// After a gap. What is known of the gyroscope stays.
  mutating func begin(_ a: Vector) {
    place = a
    formerPlace = a
    told = .zero
    toldSmoothly = .zero
    toldBefore = .zero
    seenBefore = .zero
    frozen = 0
  }

  /// - Parameters:
  ///   - rate: rad/s, as measured.
  ///   - bias: what is known to be wrong with it.
  mutating func add(_ a: Vector, rate: Vector, bias: Vector, dt: Double) {
    frozen = rate == latest ? frozen + dt : 0
    latest = rate
    let excess = a.length - RestingMagnitude.gravity
    roughness += share(dt, Self.window) * (excess * excess - roughness)
    place += share(dt, Self.smoothing) * (a - place)
    formerPlace += share(dt, Self.window) * (place - formerPlace)
    told -= (rate - bias).cross(place) * dt
    told -= share(dt, Self.window) * told
    toldSmoothly += share(dt, Self.smoothing) * (told - toldSmoothly)
    compare(dt)
  }

  private mutating func compare(_ dt: Double) {
    let seen = place - formerPlace
    toldBefore += share(dt, Self.delay) * (toldSmoothly - toldBefore)
    seenBefore += share(dt, Self.delay) * (seen - seenBefore)
    guard toldSmoothly.squared + seen.squared > Self.movement, roughness < Self.rough else {
      return
    }
    let kept = 1 - share(dt, Self.memory)
    now.add(toldSmoothly, seen, dt, kept)
    leaning.add(Vector(0, 0, toldSmoothly.z), Vector(0, 0, seen.z), dt, kept)
    bothBefore.add(toldBefore, seenBefore, dt, kept)
    lateTold.add(toldBefore, seen, dt, kept)
    lateSeen.add(toldSmoothly, seenBefore, dt, kept)
    decide()
    noteDisagreement(dt)
  }

  private mutating func decide() {
    guard max(now.told, now.seen) > Self.enough else { return }
    guard frozen < Self.longestFrozen else {
      agrees = false
      return
    }
    guard now.told > Self.enough else { return }
    // Whether it is trusted again is decided more strictly, so that it does not go back and forth.
    agrees = isWithin(agrees ? .lenient : .strict)
  }

  private func isWithin(_ bounds: Bounds) -> Bool {
    let offset = max(lateTold.value - now.value, lateSeen.value - bothBefore.value)
    return bounds.gains.contains(now.seenPerTold) && now.value > bounds.correlation && offset < bounds.offset
      && (max(leaning.told, leaning.seen) < Self.enoughLeaning || leaning.value > bounds.leaning)
  }

  private mutating func noteDisagreement(_ dt: Double) {
    guard !agrees else {
      disagreed = 0
      return
    }
    if roughness < Self.clear { disagreed += dt }
  }

  /// Running sums of the products of two movements, (m/s²)² s.
  private struct Correlation {
    private(set) var told = 0.0
    private(set) var seen = 0.0
    private var both = 0.0

    mutating func add(_ toldNow: Vector, _ seenNow: Vector, _ dt: Double, _ kept: Double) {
      told = told * kept + toldNow.squared * dt
      seen = seen * kept + seenNow.squared * dt
      both = both * kept + toldNow.dot(seenNow) * dt
    }

    /// 1 if what is told is what is seen, 2 if half of it is told.
    var seenPerTold: Double { both / told }
    /// −1…1.
    var value: Double { both / (told * seen).squareRoot() }
  }

  /// Seconds. Taps last less.
  private static let smoothing = 0.05
  /// Seconds: as long as a quick turn.
  private static let window = 0.5
  /// Seconds of movement.
  private static let memory = 6.0
  /// Seconds by which to hold one back: more than a driver's buffer, less than would make its samples useless.
  private static let delay = 0.15
  /// (m/s²)²: 6° of a turn.
  private static let movement = 1.0
  /// (m/s²)² s: a tenth of a second at 20°.
  private static let enough = 1.0
  private static let enoughLeaning = 0.3
  /// Seconds.
  private static let longestFrozen = 0.3

  /// What is still taken for agreement.
  private struct Bounds {
    let gains: ClosedRange<Double>
    let correlation: Double
    /// The same of leaning alone.
    let leaning: Double
    /// By how much the correlation may be better when one of the two is held back.
    let offset: Double

    static let lenient = Self(gains: 0.6...1.4, correlation: 0.5, leaning: 0.2, offset: 0.02)
    static let strict = Self(gains: 0.75...1.25, correlation: 0.7, leaning: 0.4, offset: -0.01)
  }

  /// (m/s²)²: above that the accelerometer shows too much else to judge a gyroscope by.
  private static let rough = 7.0
  /// (m/s²)²: below that the accelerometer shows gravity, and hardly anything else.
  private static let clear = 0.5
}
