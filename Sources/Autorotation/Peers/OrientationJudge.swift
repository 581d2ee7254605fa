// SPDX-License-Identifier: MIT

/// What tells from stamped samples which edge of the device is up: our judge, or a peer's rule.
package protocol OrientationJudge: Sendable {
  /// The upright orientation decided last; `unknown` before the first decision.
  var held: DeviceOrientation { get }

  /// - Returns: whether `held` has changed.
  mutating func add(_ a: Acceleration, at now: Instant) -> Bool
}

extension OrientationClassifier: OrientationJudge {}
