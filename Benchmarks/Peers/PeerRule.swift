// SPDX-License-Identifier: MIT

import Autorotation

/// How other programs decide, written from their behaviour, for comparison on the same motion.
///
/// Each starts without an orientation, as autorotate's does, and takes its samples at its own rate.
package enum PeerRule: String, CaseIterable, Sendable {
  /// The rule of GNOME, KDE and most scripts.
  case sensorProxy = "iio-sensor-proxy"
  /// The same rule, sampled as often as autorotate's.
  case quickSensorProxy = "iio-sensor-proxy-10hz"
  case rot8
  case chromeOS = "chromeos"
  case android

  package func makeRule() -> any OrientationRule {
    switch self {
    case .sensorProxy: Polled(SensorProxyRule(), every: .milliseconds(700))
    case .quickSensorProxy: Polled(SensorProxyRule(), every: .milliseconds(100))
    case .rot8: Polled(Rot8Rule(), every: .milliseconds(500))
    case .chromeOS: Polled(ChromeOSRule(), every: .milliseconds(100))
    case .android: Polled(AndroidRule(), every: .nanoseconds(66_666_667))
    }
  }
}

/// A rule that uses one sample at a time.
protocol PolledRule: Sendable {
  /// - Parameters:
  ///   - a: finite, but otherwise as the sensor reported it.
  ///   - current: the last decision.
  /// - Returns: the new orientation; `current` to keep it.
  mutating func decide(_ a: Acceleration, at now: Instant, current: DeviceOrientation) -> DeviceOrientation
}

/// A rule with its timer: it gets the first sample at or after each tick.
struct Polled<Rule: PolledRule>: OrientationRule {
  private(set) var uprightOrientation = DeviceOrientation.unknown
  private var rule: Rule
  private let interval: Duration
  private var due: Instant?

  init(_ rule: Rule, every interval: Duration) {
    self.rule = rule
    self.interval = interval
  }

  mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    let a = sample.acceleration
    guard a.magnitude.isFinite, isDue(at: now) else { return false }
    let before = uprightOrientation
    uprightOrientation = rule.decide(a, at: now, current: uprightOrientation)
    return uprightOrientation != before
  }

  private mutating func isDue(at now: Instant) -> Bool {
    guard let due else {
      self.due = now + interval
      return true
    }
    guard now >= due else { return false }
    let next = due + interval
    // The ticks stay regular, and missed ones are skipped.
    self.due = next > now ? next : now + interval
    return true
  }
}
