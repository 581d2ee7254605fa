// SPDX-License-Identifier: MIT

import Autorotation
import Peers

/// Scores a classifier, or a peer's rule, on motions whose truth is known. docs/benchmarks.md defines the terms.
struct MotionScore {
  private(set) var spurious = 0
  private(set) var missed = 0
  /// Seconds from the true rotation to the one shown, in order.
  private(set) var delays: [Double] = []

  var medianDelay: Double { delay(0.5) }
  var lateDelay: Double { delay(0.95) }

  private func delay(_ share: Double) -> Double {
    delays.isEmpty ? .infinity : delays.sorted()[Int(share * Double(delays.count))]
  }

  mutating func add(_ motion: Motion, classifiedBy rule: any OrientationRule) {
    let truth = MotionTruth(motion)
    let rotations = motion.rotations(by: rule)
    spurious += rotations.dropFirst().count { !truth.has($0.to, around: $0.time) }
    for rotation in truth.rotations { follow(rotation, rotations) }
  }

  private mutating func follow(_ truth: MotionTruth.Run, _ rotations: [(time: Double, to: DeviceOrientation)])
  {
    let shownBefore = rotations.last { $0.time < truth.begin - 1 }?.to
    if shownBefore == truth.orientation, !rotations.contains(where: { abs($0.time - truth.begin) < 1 }) {
      delays.append(-1)
    } else if let rotation = rotations.first(where: {
      $0.to == truth.orientation && $0.time >= truth.begin - 1 && $0.time < truth.end
    }) {
      delays.append(rotation.time - truth.begin)
    } else {
      missed += 1
    }
  }
}

/// The true orientation over time: a change counts 8° past the diagonal, and if it lasts for a second; while the device
/// is flat the orientation is kept.
struct MotionTruth {
  struct Run {
    var begin: Double
    var end: Double
    var orientation: DeviceOrientation
  }

  private(set) var runs: [Run] = []

  init(_ motion: Motion) {
    var now = DeviceOrientation.unknown
    var isFlat = false
    for (sample, pose) in zip(motion.samples, motion.poses) {
      isFlat = abs(pose.tilt) > (isFlat ? 60 : 65)
      if !isFlat { now = Self.orientation(at: pose.angle, after: now) }
      extend(to: sample.time, now)
    }
    runs.removeAll { $0.end - $0.begin < 1 }
  }

  private mutating func extend(to time: Double, _ orientation: DeviceOrientation) {
    if let last = runs.indices.last { runs[last].end = time }
    if runs.last?.orientation != orientation {
      runs.append(Run(begin: time, end: time, orientation: orientation))
    }
  }

  private static func orientation(at angle: Double, after former: DeviceOrientation) -> DeviceOrientation {
    let orientations: [DeviceOrientation] = [.normal, .leftUp, .bottomUp, .rightUp]
    let quarters = angle / 90
    if let index = orientations.firstIndex(of: former) {
      let off = (quarters - Double(index)).remainder(dividingBy: 4) * 90
      if abs(off) < 53 { return former }
    }
    return orientations[(Int(quarters.rounded()) % 4 + 4) % 4]
  }

  /// The runs that begin with a rotation.
  var rotations: [Run] {
    zip(runs, runs.dropFirst()).filter { $0.orientation != $1.orientation }.map { $1 }
  }

  func has(_ orientation: DeviceOrientation, around time: Double) -> Bool {
    runs.contains { $0.orientation == orientation && $0.begin <= time + 1 && $0.end >= time - 1 }
  }
}
