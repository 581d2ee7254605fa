// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// Distinguishes tent, stand and tablet for a device folded beyond 200°, from the angle of its hinge and gravity:
///
///     tent    ╱╲    hinge up, both free edges on the table, display upside down relative to the base
///     stand   ╱__   keyboard on the table, display upright and leaning back
///     tablet        anything else: folded flat, in a hand, on its side; also while nothing can be measured
///
/// Lenovo's firmware distinguishes them, but the kernel's lenovo-ymc and thinkpad_acpi report all three as tablet, so they
/// are derived from the angles. cmxd, for Chuwi's MiniBook X, calls 240° to 330° (later 345°) a tent and steps 6° to 15° over
/// an edge; ChromeOS knows only folded, and trusts no angle beyond 340°.
nonisolated struct FoldedShape {
  private(set) var posture = Posture.tablet
  private var candidate: (posture: Posture, since: Instant)?

  /// The limits for entering a shape, and the wider ones for staying in it.
  nonisolated private struct Limits {
    /// Of the hinge, in degrees.
    var opening: ClosedRange<Double>
    /// How far the device may be rotated about the hinge from the ideal shape, in degrees.
    var tip: Double
    /// Gravity along the hinge, m/s²: of a hinge that leans by 30° (entering) and 45° (staying).
    var alongHinge: Double

    static let entering = Self(opening: 230...330, tip: 30, alongHinge: 4.9)
    static let staying = Self(opening: 215...340, tip: 45, alongHinge: 6.9)
  }

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
      let limits = shape == posture ? Limits.staying : .entering
      return limits.opening.contains(degrees) && off <= limits.tip && alongHinge <= limits.alongHinge
    }
    return fitting?.0 ?? .tablet
  }

  /// Between two directions, 0° to 180°.
  private static func distance(_ a: Double, _ b: Double) -> Double {
    abs(remainder(a - b, 360))
  }
}
