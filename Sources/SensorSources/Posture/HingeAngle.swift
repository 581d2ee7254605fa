// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The angle between display and base, from an accelerometer in each, and the posture derived from it:
///
///     0° closed    90° laptop   160°│ as before │200°                 360° folded back
///     ├──── ? ────┼── laptop ───────┼───────────┼─────── tablet ────────┼─── ? ───┤
///                20°                                                   340°
///
/// Near 0° and 360° the angle alone is ambiguous: a device that came from below 180° is being closed, one that came
/// from above is being folded back. The limits are those of ChromeOS, which treats everything beyond 200° alike;
/// `FoldedShape` divides that further.
nonisolated struct HingeAngle {
  /// A closed lid means laptop, whatever the measured angle.
  var isLidClosed = false {
    didSet { if isLidClosed { (folding, isSure) = (.laptop, true) } }
  }

  var posture: Posture { folding == .tablet ? shape.posture : folding }
  /// Unknown, laptop or tablet.
  private var folding = Posture.unknown {
    didSet { if folding != oldValue { shape = FoldedShape() } }
  }
  private var shape = FoldedShape()
  /// Whether the posture is based on the readings of the last two seconds.
  private(set) var isSure = false
  /// Degrees from 0 up to 360, from the last usable reading.
  private(set) var degrees: Double?

  private var base: Acceleration?
  private var display: Acceleration?
  private var ambiguousSince: Instant?
  private var lastUsable: Instant?

  /// Seconds for which the last usable reading stays valid.
  private static let validTime = 2.0
  private static let laptopUpTo = 160.0
  private static let tabletFrom = 200.0
  private static let unambiguous = 20.0...340.0
  /// Seconds. An angle that is ambiguous since the first reading means folded, since the device is in use.
  private static let ambiguousUntilFolded = 2.0
  /// m/s². Both measure the same gravity: a larger difference comes from motion.
  private static let mostDisagreement = 1.0
  /// Gravity along the hinge, m/s²: above the first, the component across it is noisy and is smoothed; above the
  /// second, it cannot be used.
  private static let steepHinge = 7.0
  private static let steepestHinge = 8.7

  /// Adds a reading of both, in m/s² and in the frame of `HingeFrame`: with the lid closed (0°), the two are equal, as
  /// udev's hardware database defines it. Unreliable readings change nothing.
  mutating func add(base newBase: Acceleration, display newDisplay: Acceleration, at now: Instant) {
    guard !isLidClosed else { return }
    let alongHinge = max(abs(newBase.x), abs(newDisplay.x))
    guard Self.agree(newBase, newDisplay), alongHinge <= Self.steepestHinge else { return skip(at: now) }
    lastUsable = now
    let share = max(0, (alongHinge - Self.steepHinge) / (Self.steepestHinge - Self.steepHinge))
    let smoothBase = Self.blend(newBase, base, share)
    let smoothDisplay = Self.blend(newDisplay, display, share)
    base = smoothBase
    display = smoothDisplay
    let angle = Self.angle(base: smoothBase, display: smoothDisplay)
    degrees = angle
    updateFolding(angle, at: now)
    shape.add(base: smoothBase, display: smoothDisplay, degrees: angle, at: now)
    isSure = folding != .unknown && !(Self.laptopUpTo..<Self.tabletFrom).contains(angle)
  }

  private mutating func skip(at now: Instant) {
    guard lastUsable.map({ now.seconds(since: $0) >= Self.validTime }) ?? true else { return }
    isSure = false
    shape = FoldedShape()
  }

  private mutating func updateFolding(_ angle: Double, at now: Instant) {
    guard Self.unambiguous.contains(angle) else { return updateAmbiguousFolding(at: now) }
    ambiguousSince = nil
    if angle <= Self.laptopUpTo { folding = .laptop }
    if angle >= Self.tabletFrom { folding = .tablet }
  }

  private mutating func updateAmbiguousFolding(at now: Instant) {
    guard folding == .unknown else { return }
    let since = ambiguousSince ?? now
    ambiguousSince = since
    if now.seconds(since: since) >= Self.ambiguousUntilFolded { folding = .tablet }
  }

  private static func agree(_ a: Acceleration, _ b: Acceleration) -> Bool {
    OrientationClassifier.isPlausible(a) && OrientationClassifier.isPlausible(b)
      && abs(a.magnitude - b.magnitude) <= mostDisagreement
  }

  private static func blend(_ new: Acceleration, _ old: Acceleration?, _ share: Double) -> Acceleration {
    guard let old else { return new }
    return Acceleration(
      x: new.x, y: new.y + share * (old.y - new.y), z: new.z + share * (old.z - new.z))
  }

  /// Rotating the display about the hinge, which is parallel to x, rotates its measured gravity by the same angle;
  /// rotating the whole device rotates both and cancels out.
  private static func angle(base: Acceleration, display: Acceleration) -> Double {
    let rotation = atan2(display.y, display.z) - atan2(base.y, base.z)
    let degrees = rotation * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }
}
