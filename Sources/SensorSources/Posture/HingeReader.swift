// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// Measures the hinge along with the readings of the display's accelerometer: by the kernel's hinge sensor, else by the
/// accelerometer in the base. Belongs to the reading thread.
nonisolated struct HingeReader {
  /// Nanoseconds. Folding a device takes about a second.
  static let interval: Int64 = 500_000_000

  private let settings: AccelerometerSettings
  private var watch = HingeWatch.off
  private var display: OpenAccelerometer?
  private var sensor: HingeSensor?
  private var base: OpenAccelerometer?
  /// Why the hinge cannot be measured although there is a sensor for it.
  private(set) var problems: [Message] = []
  private var angle: HingeAngle
  /// The posture before a pause, as long as there is no newer one.
  private var postureBeforePause: Posture?
  private var failures = 0
  private var due: Int64 = 0

  init(_ settings: AccelerometerSettings) {
    self.settings = settings
    angle = HingeAngle(limits: settings.hingeAngles)
  }

  var reading: HingeReading {
    if let postureBeforePause { return HingeReading(postureBeforePause, isCertain: false) }
    return HingeReading(angle.posture, isCertain: angle.isCertain)
  }

  /// Whether the hinge is needed and can be measured.
  var isWatching: Bool { sensor != nil || base != nil }

  /// Whether the angle is read. A closed lid means laptop whatever the angle.
  var isMeasuring: Bool { isWatching && watch == .lidOpen }

  /// Whether the hinge is needed, and an accelerometer has to be found first.
  var isWithoutDisplay: Bool { watch.isOpen && display == nil }

  /// - Parameter display: `nil` as long as there is none.
  /// - Returns: whether `watch` has changed.
  mutating func apply(_ watch: HingeWatch, beside display: OpenAccelerometer?) -> Bool {
    guard watch != self.watch else { return false }
    let staysOpen = self.watch.isOpen && watch.isOpen
    if watch == .paused { postureBeforePause = reading.posture }
    self.watch = watch
    // It may be folded or unfolded while it is not measured, and an opened lid is no proof of a laptop.
    if !(staysOpen && isWatching && display != nil) { resetAngle() }
    if !staysOpen { open(beside: display) }
    angle.isLidClosed = watch == .lidClosed
    endPause()
    return true
  }

  /// Searches for what measures the hinge. The angle is kept if it is measured as before.
  mutating func open(beside display: OpenAccelerometer?) {
    let before = (self.display?.identity, sensor?.title, base?.identity)
    self.display = display
    (sensor, base, problems, failures) = (nil, nil, [], 0)
    find(former: before.1)
    if (display?.identity, sensor?.title, base?.identity) != before { resetAngle() }
    endPause()
  }

  /// Searches the devices that there were when the display was opened: another search might fail while one is removed.
  /// - Parameter former: the hinge sensor that there was.
  private mutating func find(former: String?) {
    guard watch.isOpen, let display else { return }
    do throws(Message) {
      sensor = try HingeSensor(of: display.context)
      if let former, sensor == nil { problems = [AxisFault.unreadable(ENODEV).message(ofHinge: former)] }
    } catch {
      problems = [error]
    }
    if sensor == nil { openBase() }
  }

  private mutating func openBase() {
    guard let display, let found = try? OpenAccelerometer(.base, settings, in: display.context),
      found.id != display.id
    else { return }
    guard !HingeFrame.areOfOppositeHandedness(display.identity, found.identity) else {
      return problems.append(.contradictoryHingeMatrices(found.identity.title))
    }
    base = found
  }

  /// Until there is a reading after a pause, the posture before it is used, unless nothing measures the hinge any more.
  private mutating func endPause() {
    let isAwaited = watch.isOpen && angle.posture == .unknown && (isWatching || display == nil)
    if watch != .paused, !isAwaited { postureBeforePause = nil }
  }

  private mutating func resetAngle() {
    angle = HingeAngle(limits: settings.hingeAngles)
    angle.isLidClosed = watch == .lidClosed
  }

  /// To be called when the display is lost: the device may be folded or unfolded meanwhile. In a pause, that is no sign
  /// of another posture.
  mutating func forgetPosture() {
    resetAngle()
    if watch != .paused { postureBeforePause = nil }
  }

  /// - Parameters:
  ///   - acceleration: the reading of the display.
  ///   - now: nanoseconds since boot.
  mutating func read(beside acceleration: Acceleration, at now: Int64) {
    guard isMeasuring, let display, now >= due else { return }
    // The display is read at its own rate; up to half an interval early is acceptable.
    due = now + Self.interval / 2
    let (frame, moment) = (HingeFrame(of: display.identity), Instant(nanoseconds: now))
    do throws(Message) {
      if let base {
        let frameOfBase = HingeFrame(of: base.identity)
        angle.add(base: frameOfBase(try base.read()), display: frame(acceleration), at: moment)
      } else {
        angle.add(degrees: try sensor?.read(), display: frame(acceleration), at: moment)
      }
      failures = 0
    } catch {
      fail(error)
    }
    endPause()
  }

  /// After several failures in a row, the base is measured instead of a hinge sensor.
  private mutating func fail(_ failure: Message) {
    failures += 1
    guard failures == ReadingHealth.failuresUntilLost else { return }
    forgetPosture()
    guard sensor != nil else { return }
    (sensor, problems) = (nil, [failure])
    openBase()
  }
}

nonisolated extension HingeWatch {
  fileprivate var isOpen: Bool { self == .lidOpen || self == .lidClosed }
}
