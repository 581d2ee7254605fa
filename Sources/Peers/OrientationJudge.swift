// SPDX-License-Identifier: MIT

package import Autorotation

/// What tells from stamped samples which edge of the device is up: our judge, or a peer's rule.
package protocol OrientationJudge: Sendable {
  /// The upright orientation decided last; `unknown` before the first decision.
  var held: DeviceOrientation { get }

  /// - Returns: whether `held` has changed.
  mutating func add(_ a: Acceleration, at now: Instant) -> Bool
}

extension OrientationClassifier: OrientationJudge {}

/// Our judge with the samples that the daemon reads for it: 17 a second while the picture might turn soon,
/// else hardly more than three.
package struct PacedJudge: OrientationJudge {
  private var judge = OrientationClassifier()
  private var latest: Instant?

  package init() {}

  package var held: DeviceOrientation { judge.held }

  package mutating func add(_ a: Acceleration, at now: Instant) -> Bool {
    if let latest, let pace = demand(at: latest).interval, now < latest + pace { return false }
    latest = now
    return judge.add(a, at: now)
  }

  private func demand(at moment: Instant) -> SensorDemand {
    judge.wantsFollowing(at: moment) ? .following : .resting
  }
}
