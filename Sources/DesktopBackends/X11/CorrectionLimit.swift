// SPDX-License-Identifier: MIT

import Autorotation

/// How often a setting of a device is corrected that another program keeps changing: at most three times a minute. After
/// that the device is left to the other program, until a rotation or the user asks for another try.
struct CorrectionLimit<Device: Hashable> {
  enum Verdict {
    case correct
    /// Leave it from now on. Said once of each device.
    case giveUp
    case leave
  }

  static var most: Int { 3 }
  static var span: Duration { .seconds(60) }

  private var corrections: [Device: [Instant]] = [:]
  private var left: Set<Device> = []
  private var givenUp: Set<Device> = []

  /// What to do about a change that another program has made.
  mutating func verdict(on device: Device, at now: Instant) -> Verdict {
    guard !left.contains(device) else { return .leave }
    let recent = corrections[device, default: []].filter { now < $0 + Self.span }
    guard recent.count < Self.most else {
      left.insert(device)
      return givenUp.insert(device).inserted ? .giveUp : .leave
    }
    corrections[device] = recent + [now]
    return .correct
  }

  func isLeft(_ device: Device) -> Bool { left.contains(device) }

  /// What was left is tried again, within the same limit.
  mutating func retry() {
    left = []
  }

  /// A device that has gone starts over when it comes back.
  mutating func forget(where isGone: (Device) -> Bool) {
    corrections = corrections.filter { !isGone($0.key) }
    left = left.filter { !isGone($0) }
    givenUp = givenUp.filter { !isGone($0) }
  }
}
