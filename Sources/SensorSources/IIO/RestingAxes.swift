// SPDX-License-Identifier: MIT

import Autorotation

/// Chooses the axes to read of a device at rest: only those that show a rotation of the screen, since with many drivers
/// each axis waits for the hardware. Neither reads nor waits.
///
/// Upright, a rotation in the panel's plane changes the level axis by `Stillness.noiseLimit` after 3°, and the axis along
/// gravity only after 18°. So the level axis is read, and each fourth time the other, which shows a device that falls over
/// backwards. Flat, either may change alone. The third axis shows no rotation that these two do not show.
nonisolated struct RestingAxes {
  /// m/s²: half of gravity. If both axes of the panel's plane measure less, the device lies flat.
  private static let upright = 4.9
  /// Reads per cycle, one of them of the axis along gravity.
  private static let cycle = 4

  private var count = 0

  /// - Parameter acceleration: the acceleration of the device at rest, in the frame of the panel.
  mutating func next(at acceleration: Acceleration) -> [MountMatrix.Axis] {
    guard max(abs(acceleration.x), abs(acceleration.y)) >= Self.upright else { return [.x, .y] }
    count = (count + 1) % Self.cycle
    let readsLevelAxis = count != 0
    return [(abs(acceleration.x) < abs(acceleration.y)) == readsLevelAxis ? .x : .y]
  }
}
