// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct MotionMeanTests {
  @Test func `without samples there is no mean`() {
    #expect(MotionMean().sample == nil)
  }

  @Test func `the mean of one sample is that sample`() {
    var mean = MotionMean()
    let (a, w) = (Acceleration(x: 1, y: -9.5, z: 0.25), AngularRate(x: 0.1, y: 0.2, z: -0.3))
    mean.add(a, rate: w)
    #expect(mean.sample == MotionSample(a, rate: w))
  }

  /// Vibration that the mean no longer shows.
  @Test func `the mean keeps the amount of vibration`() throws {
    var mean = MotionMean()
    for y in [-6.0, -8, -10, -12] { mean.add(Acceleration(x: 0, y: y, z: 0), rate: nil) }
    let sample = try #require(mean.sample)
    #expect(sample.acceleration == Acceleration(x: 0, y: -9, z: 0))
    #expect(sample.rate == nil)
    let magnitudes = try #require(sample.magnitudes)
    #expect(abs(magnitudes.mean - 9) < 1e-12 && abs(magnitudes.meanSquare - 86) < 1e-12)
  }

  @Test func `each axis has its own mean`() throws {
    var mean = MotionMean()
    for step in 1...4 {
      let size = Double(step)
      mean.add(
        Acceleration(x: size, y: 0, z: -2 * size), rate: AngularRate(x: 3 * size, y: size, z: -size))
    }
    let sample = try #require(mean.sample)
    #expect(sample.acceleration == Acceleration(x: 2.5, y: 0, z: -5))
    #expect(sample.rate == AngularRate(x: 7.5, y: 2.5, z: -2.5))
  }

  @Test func `only samples with a rate count in the mean rate`() throws {
    var mean = MotionMean()
    let upright = Acceleration(x: 0, y: -9.81, z: 0)
    mean.add(upright, rate: nil)
    for z in [1.0, 2] { mean.add(upright, rate: AngularRate(x: 0, y: -z, z: z)) }
    #expect(mean.sample?.rate == AngularRate(x: 0, y: -1.5, z: 1.5))
  }
}
