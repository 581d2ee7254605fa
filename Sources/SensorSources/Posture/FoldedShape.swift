// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// What a device that is folded beyond 200° stands on, from the angle of its hinge and where gravity pulls:
///
///     tent    ╱╲    hinge up, both free edges on the table, picture upside down against the base
///     stand   ╱__   keyboard on the table, picture upright and leaning back
///     tablet        all else: folded flat, in a hand, on its side; and while nothing can be measured
///
/// Lenovo's firmware tells them apart, and the kernel's lenovo-ymc and thinkpad_acpi make one tablet of all three, so that
/// the angles have to tell. cmxd, for Chuwi's MiniBook X, calls 240° to 330° (later 345°) a tent and steps 6° to 15° over
/// an edge; ChromeOS knows only folded, and trusts no angle beyond 340°.
nonisolated struct FoldedShape {
  private(set) var posture = Posture.tablet
  private var next: (posture: Posture, since: Instant)?

  /// What holds to become a shape, and what is enough to stay one.
  nonisolated private struct Limits {
    /// Of the hinge, in degrees.
    var opening: ClosedRange<Double>
    /// How far the whole may be tipped over the hinge from how it stands, in degrees.
    var tipped: Double
    /// Gravity along the hinge, m/s²: that of a hinge which leans by 30° and 45°.
    var alongHinge: Double

    static let entering = Self(opening: 230...330, tipped: 30, alongHinge: 4.9)
    static let staying = Self(opening: 215...340, tipped: 45, alongHinge: 6.9)
  }

  /// Three readings: a tablet in a hand passes by these places.
  private static let settleTime = 1.0

  /// - Parameters:
  ///   - base: in m/s²; like the display's, in the frame of `HingeFrame`.
  ///   - degrees: the angle between the two.
  mutating func add(base: Acceleration, display: Acceleration, degrees: Double, at now: Instant) {
    let alongHinge = max(abs(base.x), abs(display.x))
    let seen = seen(degrees, tip: atan2(-base.y, -base.z) * 180 / .pi, alongHinge: alongHinge)
    guard seen != posture else { return next = nil }
    let since = next?.posture == seen ? next?.since ?? now : now
    next = (seen, since)
    guard now.seconds(since: since) >= Self.settleTime else { return }
    (posture, next) = (seen, nil)
  }

  /// - Parameter tip: of the base: 0° lies on the table, −90° has the hinge up, 180° lies on its keyboard.
  private func seen(_ degrees: Double, tip: Double, alongHinge: Double) -> Posture {
    let offTent = Self.distance(tip, -90 + (360 - degrees) / 2)
    let offStand = Self.distance(tip, 180)
    let shapes = [(Posture.tent, offTent), (.stand, offStand)]
    let fitting = shapes.first { shape, off in
      let limits = shape == posture ? Limits.staying : .entering
      return limits.opening.contains(degrees) && off <= limits.tipped && alongHinge <= limits.alongHinge
    }
    return fitting?.0 ?? .tablet
  }

  /// Between two directions, 0° to 180°.
  private static func distance(_ a: Double, _ b: Double) -> Double {
    abs(remainder(a - b, 360))
  }
}
