// SPDX-License-Identifier: MIT

import Autorotation

/// Minutes of a person handling a device, made up from a seed: turns, half turns, teases, glimpses, laying it
/// down and taking it up, in surroundings that shake it.
struct Handling {
  enum Surroundings: CaseIterable {
    case still, taps, walking, vehicle
  }

  private(set) var motion: Motion
  private var random: SeededGenerator

  init(_ surroundings: Surroundings, seconds: Double, rate: Double, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    motion = Motion(rate: rate, tilt: 15, seed: seed &+ 1)
    motion.noise = 0.06
    motion.arm = 0.1
    motion.shake = Self.shake(surroundings, seconds, &random)
    motion.rest(2)
    while motion.now < seconds { act() }
    motion.rest(3)
  }

  private mutating func act() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<10: turn(by: Bool.random(using: &random) ? 90 : -90)
    case 10..<12: turn(by: 180)
    case 12..<15: visit(within(30...48), hold: within(0...1.5), slew: within(0.4...0.8))
    case 15..<17: visit(within(60...72), hold: 0, slew: within(0.12...0.18))
    default: layDown()
    }
    motion.rest(within(1.5...5))
  }

  private mutating func within(_ range: ClosedRange<Double>) -> Double {
    .random(in: range, using: &random)
  }

  private mutating func turn(by degrees: Double) {
    let pace = within(0.5...1.5)
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
    let quarter = Double(Int.random(in: 0..<4, using: &random)) * 90
    // On the table nobody sees it turn.
    motion.move(to: quarter, in: 0.5)
    motion.move(to: quarter, tilt: within(5...40), in: within(0.6...1.2))
  }

  /// The hold that is nearest, degrees.
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
    case .vehicle: road(&random)
    }
  }

  /// A finger on the glass, some times a second: short, and mostly into the screen.
  private static func taps(_ seconds: Double, _ random: inout SeededGenerator) -> Shake {
    var times: [Double] = []
    var time = 0.0
    while time < seconds + 10 {
      time += .random(in: 0.15...1.5, using: &random)
      times.append(time)
    }
    let all = times
    return { now in
      // Binary search would be quicker; these motions are short.
      guard let latest = all.last(where: { $0 <= now }) else { return (0, 0, 0) }
      let since = now - latest
      guard since < 0.08 else { return (0, 0, 0) }
      let strength = 4 * (1 - since / 0.08)
      return (strength * 0.3, strength * 0.4, -strength)
    }
  }

  /// Two steps a second, as far as arms that hold something to look at let them through.
  private static func steps(_ random: inout SeededGenerator) -> Shake {
    let phase = Double.random(in: 0...6, using: &random)
    let pace = 2 * .pi * Double.random(in: 1.7...2.1, using: &random)
    return { now in
      let step = pace * now + phase
      return (0.6 * sine(step / 2), 1.4 * sine(step) + 0.5 * sine(2 * step + 1), 0.8 * sine(step + 2))
    }
  }

  /// Bends and brakes that last for seconds, and a road that hums.
  private static func road(_ random: inout SeededGenerator) -> Shake {
    let phases = (0..<4).map { _ in Double.random(in: 0...6, using: &random) }
    return { now in
      (
        1.0 * sine(0.6 * now + phases[0]) + 0.4 * sine(40 * now),
        0.6 * sine(17 * now + phases[1]) + 0.4 * sine(71 * now),
        1.2 * sine(0.35 * now + phases[2]) + 0.3 * sine(29 * now + phases[3])
      )
    }
  }
}
