// SPDX-License-Identifier: MIT

import Autorotation

import func Foundation.exp

/// Minutes of a user handling a device, generated from a seed: rotations, half rotations, teases, glimpses, laying it
/// down and picking it up, in surroundings that shake it.
///
/// Durations of rotations and extents of teases and glimpses are those of the scripted half of the benchmark in
/// docs/benchmarks.md: rotations of 0.4 to 1.5 s with minimum jerk, teases to 35 … 49°, glimpses to 60 … 80° for less
/// than half a second, the sensor 13 cm off the axis. The strength of shaking is as measured there; `HandlingTests`
/// checks these figures, of |a| − g in m/s²:
///
///     walking, device in hand   RMS 0.3 … 0.7 over 18 recordings of people
///     taps on the glass         RMS 0.5 … 0.8, 1 % above 3 … 6
///     vehicle                   RMS 1.1 … 1.4, 1 % above 4
struct Handling {
  enum Surroundings: CaseIterable {
    case still, taps, walking, vehicle
  }

  private(set) var motion: Motion
  private var random: SeededGenerator

  init(_ surroundings: Surroundings, seconds: Double, rate: Double, seed: UInt64, gyroscope: Gyroscope? = nil)
  {
    random = SeededGenerator(seed: seed)
    motion = Motion(rate: rate, tilt: 15, seed: seed &+ 1)
    motion.gyroscope = gyroscope
    motion.noise = 0.06
    motion.arm = 0.13
    motion.shake = Self.shake(surroundings, seconds, &random)
    motion.rest(2)
    while motion.now < seconds { act() }
    motion.rest(3)
  }

  /// The surroundings alone.
  static func resting(_ surroundings: Surroundings, seconds: Double, seed: UInt64) -> Motion {
    var random = SeededGenerator(seed: seed)
    var motion = Motion(rate: 50, tilt: 20, seed: seed &+ 1)
    motion.noise = 0.06
    motion.shake = shake(surroundings, seconds, &random)
    motion.rest(seconds)
    return motion
  }

  private mutating func act() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<10: rotate(by: Bool.random(using: &random) ? 90 : -90)
    case 10..<12: rotate(by: 180)
    case 12..<15: visit(within(35...49), hold: within(0...1.5), slew: within(0.4...0.8))
    case 15..<17: visit(within(60...80), hold: 0, slew: within(0.12...0.24))
    default: layDown()
    }
    motion.rest(within(1.5...5))
  }

  private mutating func within(_ range: ClosedRange<Double>) -> Double {
    .random(in: range, using: &random)
  }

  private mutating func rotate(by degrees: Double) {
    let pace = within(0.4...1.5)
    motion.move(to: upright + degrees + within(-8...8), tilt: within(0...45), in: pace)
  }

  /// There and back.
  private mutating func visit(_ degrees: Double, hold: Double, slew: Double) {
    let (home, side) = (motion.angle, Bool.random(using: &random) ? 1.0 : -1.0)
    motion.move(to: upright + side * degrees, in: slew)
    motion.rest(hold)
    motion.move(to: home, in: slew)
  }

  private mutating func layDown() {
    motion.move(to: motion.angle, tilt: within(84...90), in: within(0.6...1.2))
    motion.move(to: motion.angle + within(-200...200), in: within(0.5...2))
    motion.rest(within(0.5...3))
    let quarter = upright + Double(Int.random(in: -1...2, using: &random)) * 90
    // On the table rotations are not visible. No hand rotates it more than once around there.
    motion.move(to: quarter, in: 1)
    motion.move(to: quarter, tilt: within(5...40), in: within(0.6...1.2))
  }

  /// The nearest upright orientation, degrees.
  private var upright: Double { (motion.angle / 90).rounded() * 90 }
}

// MARK: Surroundings

extension Handling {
  private typealias Shake = (Double) -> (x: Double, y: Double, z: Double)

  private static func shake(
    _ surroundings: Surroundings, _ seconds: Double, _ random: inout SeededGenerator
  ) -> (Double) -> (x: Double, y: Double, z: Double) {
    switch surroundings {
    case .still: { _ in (0, 0, 0) }
    case .taps: taps(seconds, &random)
    case .walking: steps(&random)
    case .vehicle: road(seconds, &random)
    }
  }

  /// A finger on the glass, some times a second: short, and mostly into the screen.
  private static func taps(_ seconds: Double, _ random: inout SeededGenerator) -> Shake {
    let taps = knocks(0.15...1.5, strength: 3...11, seconds, &random)
    return { now in
      guard let (since, strength) = taps(now), since < 0.08 else { return (0, 0, 0) }
      let push = strength * (1 - since / 0.08)
      return (push * 0.3, -push * 0.4, -push)
    }
  }

  /// Two steps a second, damped by the arms that hold the device.
  private static func steps(_ random: inout SeededGenerator) -> Shake {
    let phase = Double.random(in: 0...6, using: &random)
    let pace = 2 * .pi * Double.random(in: 1.7...2.1, using: &random)
    let vigour = Double.random(in: 0.3...0.7, using: &random)
    return { now in
      let step = pace * now + phase
      return (
        vigour * 0.6 * sine(step / 2), vigour * (1.35 * sine(step) + 0.5 * sine(2 * step + 1)),
        vigour * 0.8 * sine(step + 2)
      )
    }
  }

  /// Bends and braking that last for seconds, the hum of the road, and potholes.
  private static func road(_ seconds: Double, _ random: inout SeededGenerator) -> Shake {
    let phases = (0..<4).map { _ in Double.random(in: 0...6, using: &random) }
    let holes = knocks(0.5...2.5, strength: 4...13, seconds, &random)
    return { now in
      let hole = holes(now).map { since, strength in strength * decay(since / 0.12) * sine(57 * since) } ?? 0
      return (
        1.2 * sine(0.6 * now + phases[0]) + 0.6 * sine(40 * now) + 0.3 * hole,
        1.0 * sine(17 * now + phases[1]) + 0.8 * sine(71 * now) + hole,
        1.5 * sine(0.35 * now + phases[2]) + 0.5 * sine(29 * now + phases[3]) + 0.4 * hole
      )
    }
  }

  /// Knocks of random strength, with the mean time between them in seconds.
  /// - Returns: a function of the time: how long ago the latest was, and its strength.
  private static func knocks(
    _ gaps: ClosedRange<Double>, strength: ClosedRange<Double>, _ seconds: Double,
    _ random: inout SeededGenerator
  ) -> (Double) -> (since: Double, strength: Double)? {
    var all: [(time: Double, strength: Double)] = []
    var time = 0.0
    while time < seconds + 10 {
      time += .random(in: gaps, using: &random)
      all.append((time, .random(in: strength, using: &random)))
    }
    let knocks = all
    return { now in
      var (before, after) = (-1, knocks.count)
      while after - before > 1 {
        let middle = (before + after) / 2
        if knocks[middle].time <= now { before = middle } else { after = middle }
      }
      return before < 0 ? nil : (now - knocks[before].time, knocks[before].strength)
    }
  }

  private static func decay(_ x: Double) -> Double { exp(-x) }
}
