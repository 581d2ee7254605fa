// SPDX-License-Identifier: MIT

import Autorotation

/// What is read of a device that lies still: not all three axes, since many drivers let each wait for the hardware, but
/// those in which a turn of the picture shows. Neither reads nor waits.
///
/// Upright, a turn in the panel's plane moves the axis that lies level by `Stillness.noiseLimit` after 3°,
/// the one that carries gravity only after 18°; so the level one is read, and each fourth time the other, without which
/// a device that goes over backwards would not be seen. Flat, either may move alone. The third axis tells of no turn that
/// these two do not tell of.
nonisolated struct Glance {
  /// m/s²: half of gravity. If neither axis of the panel's plane carries as much, the device lies flat.
  private static let carries = 4.9
  private static let round = 4

  private var count = 0

  /// - Parameter place: where the device lies, in the frame of the panel.
  mutating func next(at place: Acceleration) -> [MountMatrix.Axis] {
    guard max(abs(place.x), abs(place.y)) >= Self.carries else { return [.x, .y] }
    count = (count + 1) % Self.round
    let isLevelsTurn = count != 0
    return [(abs(place.x) < abs(place.y)) == isLevelsTurn ? .x : .y]
  }
}
