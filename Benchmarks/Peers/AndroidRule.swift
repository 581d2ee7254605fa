// SPDX-License-Identifier: MIT

import Autorotation

import func Glibc.asin
import func Glibc.atan2

/// Android's WindowOrientationListener: a low-pass filter, whole degrees, and a wait after each kind of movement.
///
/// A prediction becomes the orientation once it has been the same for 40 ms, and for some time the device was neither
/// flat (0.5 s), nor swung (0.3 s), nor accelerated (0.5 s). Touch is not modelled.
struct AndroidRule: PolledRule {
  private var filtered = Acceleration(x: 0, y: 0, z: 0)
  private var latest: Instant?
  private var prediction: (quarter: Int, since: Instant)?
  private var tilts: [(time: Instant, degrees: Int)] = []
  private var flatAt = Self.longAgo
  private var swungAt = Self.longAgo
  private var acceleratedAt = Self.longAgo
  private var isOverhead = false

  mutating func decide(_ a: Acceleration, at now: Instant, current: DeviceOrientation) -> DeviceOrientation {
    // Android's own frame, where up is positive.
    filter(Acceleration(x: -a.x, y: -a.y, z: a.z), at: now)
    predict(at: now, shown: Self.quarters.firstIndex(of: current))
    guard let prediction, isSettled(at: now), now >= prediction.since + Self.settling else { return current }
    return Self.quarters[prediction.quarter]
  }

  private func isSettled(at now: Instant) -> Bool {
    now >= flatAt + Self.afterFlat && now >= swungAt + Self.afterSwing
      && now >= acceleratedAt + Self.afterAcceleration
  }

  // MARK: Filter

  private mutating func filter(_ a: Acceleration, at now: Instant) {
    defer { latest = now }
    guard let latest, case let dt = now.seconds(since: latest), dt >= 0, dt <= Self.maximumStep,
      a.magnitude > 0
    else { return restart(with: a) }
    let share = dt / (Self.filterTime + dt)
    filtered.x += share * (a.x - filtered.x)
    filtered.y += share * (a.y - filtered.y)
    filtered.z += share * (a.z - filtered.z)
  }

  private mutating func restart(with a: Acceleration) {
    self = Self()
    filtered = a
  }

  // MARK: Prediction

  private mutating func predict(at now: Instant, shown: Int?) {
    let magnitude = filtered.magnitude
    guard magnitude >= Self.minimumMagnitude else { return prediction = nil }
    if !Self.magnitudes.contains(magnitude) { acceleratedAt = now }
    let tilt = Self.degrees(asin(filtered.z / magnitude))
    add(tilt, at: now)
    guard !isOverhead, abs(tilt) <= Self.steepestTilt, let quarter = quarter(tilt: tilt, shown: shown) else {
      return prediction = nil
    }
    if prediction?.quarter != quarter { prediction = (quarter, now) }
  }

  private mutating func add(_ tilt: Int, at now: Instant) {
    if tilts.count == Self.maximumHistory { tilts.removeFirst() }
    tilts.append((now, tilt))
    if isFlat(at: now) { flatAt = now }
    if hasSwung(by: tilt, at: now) { swungAt = now }
    if tilt <= Self.overhead.enter { isOverhead = true }
    if tilt >= Self.overhead.leave { isOverhead = false }
  }

  private func isFlat(at now: Instant) -> Bool {
    let flat = tilts.reversed().prefix { $0.degrees >= Self.flatTilt }
    return flat.contains { $0.time + Self.flatFor <= now }
  }

  /// Whether the screen faced up much less a moment ago.
  private func hasSwung(by tilt: Int, at now: Instant) -> Bool {
    tilts.reversed().prefix { $0.time + Self.swingWithin >= now }.contains { $0.degrees + Self.swing <= tilt }
  }

  private func quarter(tilt: Int, shown: Int?) -> Int? {
    let degrees = Self.degrees(atan2(filtered.x, filtered.y))
    let angle = degrees < 0 ? degrees + 360 : degrees
    let nearest = (angle + 45) / 90 % 4
    guard Self.tilts[nearest].contains(tilt), isClear(angle, of: nearest, shown: shown) else { return nil }
    return nearest
  }

  /// Between two neighbours there is a gap of 44°, in which neither is predicted.
  private func isClear(_ angle: Int, of nearest: Int, shown: Int?) -> Bool {
    guard let shown else { return true }
    // From −45 to 45 around the nearest.
    let off = (angle - 90 * nearest + 540) % 360 - 180
    if nearest == shown || nearest == (shown + 1) % 4, off < -45 + Self.halfGap { return false }
    if nearest == shown || nearest == (shown + 3) % 4, off > 45 - Self.halfGap { return false }
    return true
  }

  private static func degrees(_ radians: Double) -> Int {
    Int((radians * 180 / .pi).rounded())
  }
}

extension AndroidRule {
  private static let quarters: [DeviceOrientation] = [.normal, .rightUp, .bottomUp, .leftUp]
  /// Degrees of tilt, for each quarter, within which it can be predicted.
  private static let tilts = [-25...70, -25...65, -25...60, -25...65]
  /// Degrees.
  private static let halfGap = 22
  private static let flatTilt = 80
  private static let steepestTilt = 80
  private static let swing = 20
  private static let overhead = (enter: -40, leave: -15)
  /// Seconds.
  private static let filterTime = 0.2
  private static let maximumStep = 1.0
  /// m/s².
  private static let minimumMagnitude = 1.0
  private static let magnitudes = 5.80665...13.80665
  private static let maximumHistory = 200
  private static let settling = Duration.milliseconds(40)
  private static let flatFor = Duration.milliseconds(1000)
  private static let swingWithin = Duration.milliseconds(300)
  private static let afterFlat = Duration.milliseconds(500)
  private static let afterSwing = Duration.milliseconds(300)
  private static let afterAcceleration = Duration.milliseconds(500)
  private static let longAgo = Instant(nanoseconds: .min)
}
