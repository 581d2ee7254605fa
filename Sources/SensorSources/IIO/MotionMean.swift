// SPDX-License-Identifier: MIT

import Autorotation

/// The mean of the samples that a device delivered between two reads, in the frame of the panel.
nonisolated struct MotionMean {
  private var acceleration = Acceleration(x: 0, y: 0, z: 0)
  private var rate = AngularRate(x: 0, y: 0, z: 0)
  private var magnitudes = MotionSample.Magnitudes(mean: 0, meanSquare: 0)
  private var count = 0.0
  private var rates = 0.0

  mutating func add(_ a: Acceleration, rate w: AngularRate?) {
    count += 1
    acceleration.x += (a.x - acceleration.x) / count
    acceleration.y += (a.y - acceleration.y) / count
    acceleration.z += (a.z - acceleration.z) / count
    let magnitude = a.magnitude
    magnitudes.mean += (magnitude - magnitudes.mean) / count
    magnitudes.meanSquare += (magnitude * magnitude - magnitudes.meanSquare) / count
    if let w { add(w) }
  }

  private mutating func add(_ w: AngularRate) {
    rates += 1
    rate.x += (w.x - rate.x) / rates
    rate.y += (w.y - rate.y) / rates
    rate.z += (w.z - rate.z) / rates
  }

  /// `nil` without samples.
  var sample: MotionSample? {
    guard count > 0 else { return nil }
    return MotionSample(acceleration, rate: rates > 0 ? rate : nil, magnitudes: count > 1 ? magnitudes : nil)
  }
}
