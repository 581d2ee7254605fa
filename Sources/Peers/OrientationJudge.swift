// SPDX-License-Identifier: MIT

package import Autorotation

/// What tells from stamped samples which edge of the device is up: our judge, or a peer's rule.
package protocol OrientationJudge: Sendable {
  /// The upright orientation decided last; `unknown` before the first decision.
  var held: DeviceOrientation { get }

  /// - Returns: whether `held` has changed.
  mutating func add(_ sample: MotionSample, at now: Instant) -> Bool
}

extension OrientationClassifier: OrientationJudge {}

/// Our judge with the samples that the daemon reads for it: 17 a second while the picture might turn soon, more in the
/// first moment of a movement out of calm, else hardly more than three. The gyroscope is on while the picture might
/// turn.
package struct PacedJudge: OrientationJudge {
  private var judge = OrientationClassifier()
  private var latest: Instant?
  private var place = Acceleration(x: 0, y: 0, z: 0)
  private var movedAt = Instant(nanoseconds: 0)
  private var eagerUntil = Instant(nanoseconds: 0)

  // As the daemon's reader hurries (`ReadingPace`, `Stillness`).
  private static let eager = Duration.milliseconds(15)
  private static let eagerTime = Duration.milliseconds(400)
  private static let calm = Duration.seconds(1)
  /// m/s².
  private static let tremble = 0.5

  package init() {}

  package var held: DeviceOrientation { judge.held }

  package mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    let demand = latest.map { self.demand(at: $0) } ?? .following
    if let latest, let pace = pace(demand, at: latest), now < latest + pace { return false }
    latest = now
    note(sample.acceleration, at: now)
    let rate = demand == .following ? sample.rate : nil
    return judge.add(MotionSample(sample.acceleration, rate: rate), at: now)
  }

  private func pace(_ demand: SensorDemand, at moment: Instant) -> Duration? {
    moment < eagerUntil ? Self.eager : demand.interval
  }

  private mutating func note(_ a: Acceleration, at now: Instant) {
    guard max(abs(a.x - place.x), abs(a.y - place.y), abs(a.z - place.z)) > Self.tremble else { return }
    if movedAt + Self.calm < now { eagerUntil = now + Self.eagerTime }
    place = a
    movedAt = now
  }

  private func demand(at moment: Instant) -> SensorDemand {
    judge.wantsFollowing(at: moment) ? .following : .resting
  }
}
