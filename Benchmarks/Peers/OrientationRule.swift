// SPDX-License-Identifier: MIT

package import Autorotation

/// A classifier of the device orientation from timestamped samples: autorotate's, or a peer's rule.
package protocol OrientationRule: Sendable {
  /// The last decision; `unknown` before the first.
  var uprightOrientation: DeviceOrientation { get }

  /// - Returns: whether `uprightOrientation` has changed.
  mutating func add(_ sample: MotionSample, at now: Instant) -> Bool
}

extension OrientationClassifier: OrientationRule {}

/// Autorotate's classifier with the samples that the daemon reads for it, by the same schedule: 17 a second while a
/// rotation may come, more in the first moment of a movement after rest, else three or fewer. The gyroscope is on while
/// a rotation may come.
package struct PacedClassifier: OrientationRule {
  private var classifier = OrientationClassifier()
  private var schedule = ReadSchedule()
  private var demand = SensorDemand.following
  private var isStarted = false

  package init() {}

  package var uprightOrientation: DeviceOrientation { classifier.uprightOrientation }

  package mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    if !isStarted {
      isStarted = true
      schedule.resume(at: now.nanoseconds)
    } else if now.nanoseconds < schedule.latestRead + schedule.interval(demand) {
      return false
    }
    schedule.latestRead = now.nanoseconds
    let hasChanged = report(sample, at: now)
    demand = classifier.needsFollowing(at: now) ? .following : .resting
    return hasChanged
  }

  private mutating func report(_ sample: MotionSample, at now: Instant) -> Bool {
    let read = MotionSample(sample.acceleration, rate: demand == .following ? sample.rate : nil)
    let (before, isReported) = schedule.report(read, at: now, now: now.nanoseconds, demand: demand)
    guard isReported else { return false }
    let former = uprightOrientation
    if let before { _ = classifier.add(before.sample, at: before.moment) }
    _ = classifier.add(read, at: now)
    return uprightOrientation != former
  }
}
