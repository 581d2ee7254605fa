// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The angle between display and base, from a hinge sensor or an accelerometer in each,
/// and the posture derived from it:
///
///     0° closed    90° laptop   160°│ as before │200°                 360° folded back
///     ├──── ? ────┼── laptop ───────┼───────────┼─────── tablet ────────┼─── ? ───┤
///                20°                                                   340°
///
/// Near 0° and 360° the angle alone is ambiguous: a device that came from below 180° is being closed, one that came
/// from above is being folded back. A hinge sensor counts on up to 360°, so there it is folded. `FoldedShape` divides a
/// tablet further.
nonisolated struct HingeAngle {
  /// A closed lid means laptop, whatever the measured angle.
  var isLidClosed = false {
    didSet { if isLidClosed { (folding, isCertain) = (.laptop, true) } }
  }

  var posture: Posture { folding == .tablet ? shape.posture : folding }
  /// Unknown, laptop or tablet.
  private var folding = Posture.unknown {
    didSet { if folding != oldValue { shape = FoldedShape() } }
  }
  private var shape = FoldedShape()
  /// Whether the posture is based on the readings of the last two seconds.
  private(set) var isCertain = false
  /// Degrees from 0 up to 360, from the last usable reading.
  private(set) var degrees: Double?

  private var base: Acceleration?
  private var display: Acceleration?
  private var ambiguousSince: Instant?
  private var lastUsable: Instant?
  /// Degrees.
  private let laptopUpTo: Double
  private let tabletFrom: Double

  /// Seconds for which the last usable reading stays valid.
  private static let validTime = 2.0
  private static let unambiguous = AccelerometerSettings.unambiguousHingeAngles
  /// Seconds. An angle that is ambiguous since the first reading means folded, since the device is in use.
  private static let ambiguousUntilFolded = 2.0
  /// m/s². Both measure the same gravity: a larger difference comes from motion.
  private static let maximumDisagreement = 1.0
  /// Gravity along the hinge, m/s²: above the first, the component across it is noisy and is smoothed; above the
  /// second, it cannot be used.
  private static let steepHinge = 7.0
  private static let steepestHinge = 8.7

  /// - Parameter limits: degrees: up to the first a laptop, from the second a tablet.
  init(limits: ClosedRange<Int> = AccelerometerSettings().hingeAngles) {
    (laptopUpTo, tabletFrom) = (Double(limits.lowerBound), Double(limits.upperBound))
  }

  /// Adds a reading of a hinge sensor. Where the base points follows from it and from the display.
  /// - Parameters:
  ///   - degrees: 0 to 360; `nil` if there is no usable one.
  ///   - display: in m/s² and in the frame of `HingeFrame`.
  mutating func add(degrees: Double?, display: Acceleration, at now: Instant) {
    guard !isLidClosed else { return }
    guard let degrees else { return skip(at: now) }
    lastUsable = now
    if degrees >= Self.unambiguous.upperBound { folding = .tablet }
    let direction = atan2(display.y, display.z) - degrees * .pi / 180
    let length = hypot(display.y, display.z)
    let base = Acceleration(x: display.x, y: length * sin(direction), z: length * cos(direction))
    update(degrees, base: base, display: display, at: now)
  }

  /// Adds a reading of both, in m/s² and in the frame of `HingeFrame`: with the lid closed (0°), the two are equal, as
  /// udev's hardware database defines it. Unreliable readings change nothing.
  mutating func add(base newBase: Acceleration, display newDisplay: Acceleration, at now: Instant) {
    guard !isLidClosed else { return }
    let alongHinge = max(abs(newBase.x), abs(newDisplay.x))
    guard OrientationClassifier.isPlausible(newBase), alongHinge <= Self.steepestHinge,
      abs(newBase.magnitude - newDisplay.magnitude) <= Self.maximumDisagreement
    else { return skip(at: now) }
    lastUsable = now
    let share = max(0, (alongHinge - Self.steepHinge) / (Self.steepestHinge - Self.steepHinge))
    let (base, display) = (Self.blend(newBase, self.base, share), Self.blend(newDisplay, self.display, share))
    (self.base, self.display) = (base, display)
    update(Self.angle(base: base, display: display), base: base, display: display, at: now)
  }

  private mutating func update(_ angle: Double, base: Acceleration, display: Acceleration, at now: Instant) {
    degrees = angle
    updateFolding(angle, at: now)
    shape.add(base: base, display: display, degrees: angle, at: now)
    isCertain = folding != .unknown && !(laptopUpTo..<tabletFrom).contains(angle)
  }

  private mutating func skip(at now: Instant) {
    guard lastUsable.map({ now.seconds(since: $0) >= Self.validTime }) ?? true else { return }
    isCertain = false
    shape = FoldedShape()
  }

  private mutating func updateFolding(_ angle: Double, at now: Instant) {
    if Self.unambiguous.contains(angle) {
      ambiguousSince = nil
      if angle <= laptopUpTo { folding = .laptop }
      if angle >= tabletFrom { folding = .tablet }
    } else if folding == .unknown {
      let since = ambiguousSince ?? now
      ambiguousSince = since
      if now.seconds(since: since) >= Self.ambiguousUntilFolded { folding = .tablet }
    }
  }

  private static func blend(_ new: Acceleration, _ old: Acceleration?, _ share: Double) -> Acceleration {
    guard let old else { return new }
    return Acceleration(x: new.x, y: new.y + share * (old.y - new.y), z: new.z + share * (old.z - new.z))
  }

  /// Rotating the display about the hinge, which is parallel to x, rotates its measured gravity by the same angle;
  /// rotating the whole device rotates both and cancels out.
  private static func angle(base: Acceleration, display: Acceleration) -> Double {
    let rotation = atan2(display.y, display.z) - atan2(base.y, base.z)
    let degrees = rotation * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }
}

/// Distinguishes tent, stand and tablet for a device folded beyond 200°, from the angle of its hinge and gravity:
///
///     tent    ╱╲    hinge up, both free edges on the table, display upside down relative to the base
///     stand   ╱__   keyboard on the table, display upright and leaning back
///     tablet        anything else: folded flat, in a hand, on its side; also while nothing can be measured
///
/// Lenovo's firmware distinguishes them, but the kernel's lenovo-ymc and thinkpad_acpi report all three as tablet, so
/// they are derived from the angles. cmxd, for Chuwi's MiniBook X, calls 240° to 330° (later 345°) a tent and steps 6°
/// to 15° over an edge; ChromeOS knows only folded, and trusts no angle beyond 340°.
nonisolated struct FoldedShape {
  private(set) var posture = Posture.tablet
  private var candidate: (posture: Posture, since: Instant)?

  /// The limits for entering a shape: of the hinge, in degrees; of how far the device is rotated about the hinge from
  /// the ideal shape, in degrees; and of gravity along the hinge, m/s², where it leans by 30°.
  private static let entering = (opening: 230.0...330, tip: 30.0, alongHinge: 4.9)
  /// The wider ones for staying in it, with a hinge that leans by 45°.
  private static let staying = (opening: 215.0...340, tip: 45.0, alongHinge: 6.9)

  /// Three readings: a tablet in a hand passes through these positions.
  private static let settleTime = 1.0

  /// - Parameters:
  ///   - base: in m/s² and, like `display`, in the frame of `HingeFrame`.
  ///   - degrees: the angle of the hinge.
  mutating func add(base: Acceleration, display: Acceleration, degrees: Double, at now: Instant) {
    let alongHinge = max(abs(base.x), abs(display.x))
    let detected = detected(degrees, tip: atan2(-base.y, -base.z) * 180 / .pi, alongHinge: alongHinge)
    let since = candidate?.posture == detected ? candidate?.since ?? now : now
    candidate = (detected, since)
    guard now.seconds(since: since) >= Self.settleTime else { return }
    (posture, candidate) = (detected, nil)
  }

  /// - Parameter tip: of the base: 0° on the table, −90° with the hinge up, 180° on its keyboard.
  private func detected(_ degrees: Double, tip: Double, alongHinge: Double) -> Posture {
    let offTent = Self.distance(tip, -90 + (360 - degrees) / 2)
    let offStand = Self.distance(tip, 180)
    let shapes = [(Posture.tent, offTent), (.stand, offStand)]
    let fitting = shapes.first { shape, off in
      let limits = shape == posture ? Self.staying : Self.entering
      return limits.opening.contains(degrees) && off <= limits.tip && alongHinge <= limits.alongHinge
    }
    return fitting?.0 ?? .tablet
  }

  /// Between two directions, 0° to 180°.
  private static func distance(_ a: Double, _ b: Double) -> Double { abs(remainder(a - b, 360)) }
}
