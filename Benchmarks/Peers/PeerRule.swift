// SPDX-License-Identifier: MIT

import Autorotation

/// How other programs decide, written from their behaviour, to compare with on the same motion.
///
/// Each starts without an orientation, as ours does, and takes its samples at its own pace.
package enum PeerRule: String, CaseIterable, Sendable {
  /// What GNOME, KDE and most scripts use.
  case sensorProxy = "iio-sensor-proxy"
  /// The same rule, sampled as often as ours.
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

/// A rule that looks at one sample at a time.
protocol PolledRule: Sendable {
  /// - Parameters:
  ///   - a: finite, but otherwise whatever the sensor reported.
  ///   - held: what was decided last.
  /// - Returns: what is to be shown from now on; `held` to keep it.
  mutating func decide(_ a: Acceleration, at now: Instant, held: DeviceOrientation) -> DeviceOrientation
}

/// A rule with its timer: of the samples that come, it sees the first at or after each tick.
struct Polled<Rule: PolledRule>: OrientationRule {
  private(set) var held = DeviceOrientation.unknown
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
    let before = held
    held = rule.decide(a, at: now, held: held)
    return held != before
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
