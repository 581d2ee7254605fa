// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The angle between display and base, from an accelerometer in each, and what shape it makes:
///
///     0° closed    90° laptop   160°│ as before │200°                 360° folded back
///     ├──── ? ────┼── laptop ───────┼───────────┼─────── tablet ────────┼─── ? ───┤
///                20°                                                   340°
///
/// Near 0° and 360° the angle alone is ambiguous: a device that came from below 180° is being closed, one that came
/// from above is being folded back. The numbers are those of ChromeOS, for which all beyond 200° is one; what a tablet
/// stands on is `FoldedShape`'s.
nonisolated struct HingeAngle {
  /// Nobody looks at a closed display, whatever its angle seems to be.
  var isLidClosed = false {
    didSet { if isLidClosed { (folding, isSure) = (.laptop, true) } }
  }

  var posture: Posture { folding == .tablet ? shape.posture : folding }
  /// Unknown, laptop or tablet.
  private var folding = Posture.unknown {
    didSet { if folding != oldValue { shape = FoldedShape() } }
  }
  private var shape = FoldedShape()
  /// Whether the posture is that of the readings of the last two seconds, and no older one.
  private(set) var isSure = false
  /// Degrees from 0 up to 360, from the last usable reading.
  private(set) var degrees: Double?

  private var base: Acceleration?
  private var display: Acceleration?
  private var unclearSince: Instant?
  private var usableAt: Instant?

  /// So long the last usable reading is as good as new.
  private static let sureTime = 2.0
  private static let laptopUpTo = 160.0
  private static let tabletFrom = 200.0
  private static let clear = 20.0...340.0
  /// An angle that stays unclear from the first reading on is that of a device that is in use, folded.
  private static let unclearUntilFolded = 2.0
  /// Both feel the same gravity: more of a difference (m/s²) comes from motion.
  private static let mostDisagreement = 1.0
  /// Gravity along the hinge, m/s²: above the first, what is left across it is noisy and is smoothed; above the
  /// second, it is useless.
  private static let steepHinge = 7.0
  private static let steepestHinge = 8.7

  /// Adds a reading of both, in m/s² and in the frame of `HingeFrame`: with the lid closed (0°), the two are equal, as
  /// udev's hardware database defines it. Unreliable readings change nothing.
  mutating func add(base newBase: Acceleration, display newDisplay: Acceleration, at now: Instant) {
    guard !isLidClosed else { return }
    let alongHinge = max(abs(newBase.x), abs(newDisplay.x))
    guard Self.agree(newBase, newDisplay), alongHinge <= Self.steepestHinge else { return miss(at: now) }
    usableAt = now
    let share = max(0, (alongHinge - Self.steepHinge) / (Self.steepestHinge - Self.steepHinge))
    let smoothBase = Self.blend(newBase, base, share)
    let smoothDisplay = Self.blend(newDisplay, display, share)
    base = smoothBase
    display = smoothDisplay
    let angle = Self.angle(base: smoothBase, display: smoothDisplay)
    degrees = angle
    conclude(angle, at: now)
    shape.add(base: smoothBase, display: smoothDisplay, degrees: angle, at: now)
    isSure = folding != .unknown && !(Self.laptopUpTo..<Self.tabletFrom).contains(angle)
  }

  private mutating func miss(at now: Instant) {
    guard usableAt.map({ now.seconds(since: $0) >= Self.sureTime }) ?? true else { return }
    isSure = false
    shape = FoldedShape()
  }

  private mutating func conclude(_ angle: Double, at now: Instant) {
    guard Self.clear.contains(angle) else { return concludeUnclear(at: now) }
    unclearSince = nil
    if angle <= Self.laptopUpTo { folding = .laptop }
    if angle >= Self.tabletFrom { folding = .tablet }
  }

  private mutating func concludeUnclear(at now: Instant) {
    guard folding == .unknown else { return }
    let since = unclearSince ?? now
    unclearSince = since
    if now.seconds(since: since) >= Self.unclearUntilFolded { folding = .tablet }
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

  /// Turning the display by the angle around the hinge, which lies along x, turns what it feels by the
  /// same angle; turning the whole device turns both and cancels out.
  private static func angle(base: Acceleration, display: Acceleration) -> Double {
    let turn = atan2(display.y, display.z) - atan2(base.y, base.z)
    let degrees = turn * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }
}
