// SPDX-License-Identifier: MIT

import Autorotation

/// Measures the hinge along with the readings of the display's accelerometer. Belongs to the reading thread.
nonisolated struct HingeReader {
  /// Nanoseconds. Folding a device takes about a second.
  static let interval: Int64 = 500_000_000

  private var watch = HingeWatch.off
  private var base: OpenAccelerometer?
  private var frames: (display: HingeFrame, base: HingeFrame)?
  /// Why the hinge cannot be measured although there are two accelerometers.
  private(set) var problems: [Message] = []
  private var angle = HingeAngle()
  private var failures = 0
  private var due: Int64 = 0

  var reading: HingeReading { HingeReading(angle.posture, isSure: angle.isSure) }

  /// Whether the hinge is needed and there are two accelerometers.
  var isWatching: Bool { base != nil }

  /// - Parameter display: `nil` as long as there is none.
  /// - Returns: whether `watch` has changed.
  mutating func apply(_ watch: HingeWatch, beside display: HingeFrame.Sensor?) -> Bool {
    guard watch != self.watch else { return false }
    let wasOff = self.watch == .off
    self.watch = watch
    if watch == .off || wasOff { open(beside: display) }
    angle.isLidClosed = watch == .lidClosed
    return true
  }

  /// Searches for the accelerometer of the base, and resets the angle.
  mutating func open(beside display: HingeFrame.Sensor?) {
    angle = HingeAngle()
    angle.isLidClosed = watch == .lidClosed
    failures = 0
    due = 0
    (base, frames, problems) = (nil, nil, [])
    guard watch != .off, let display, let base = try? OpenAccelerometer(.base) else { return }
    if HingeFrame.areOfOppositeHandedness(display, base.identity.sensor) {
      problems = [.contradictoryHingeMatrices(base.identity.title)]
    } else {
      self.base = base
      frames = (HingeFrame(of: display), HingeFrame(of: base.identity.sensor))
    }
  }

  /// - Parameters:
  ///   - display: the reading of the display.
  ///   - now: nanoseconds since boot.
  mutating func read(beside display: Acceleration, at now: Int64) {
    guard let base, let frames, now >= due else { return }
    // The display is read at its own rate; up to half an interval early is acceptable.
    due = now + Self.interval / 2
    do throws(Message) {
      angle.add(
        base: frames.base(try base.read()), display: frames.display(display), at: Instant(nanoseconds: now))
      failures = 0
    } catch {
      failures += 1
      if failures == ReadingHealth.failuresUntilLost { angle = HingeAngle() }
    }
  }
}
