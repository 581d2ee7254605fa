// SPDX-License-Identifier: MIT

/// Learns the end of a gyroscope's range: it reports quicker rotations as exactly that rate, again and again.
///
/// Noise keeps a rate from repeating, so two equal samples in a row of the largest rate so far are the end.
struct GyroscopeRange {
  /// Whether the last sample was at the end of the range, so that the true rate of that axis is unknown.
  private(set) var isExceeded = false
  /// rad/s. Ranges of ±125° a second and less are not used for motion.
  private var largest = 2.0
  private var isEnd = false
  private var last = Vector.zero

  mutating func add(_ rate: Vector) {
    let sizes = Vector(abs(rate.x), abs(rate.y), abs(rate.z))
    let top = sizes.max()
    if top > largest {
      largest = top
      isEnd = false
    } else if top == largest {
      isEnd = isEnd || (0..<Vector.scalarCount).contains { sizes[$0] == top && last[$0] == top }
    }
    isExceeded = isEnd && top == largest
    last = sizes
  }
}
