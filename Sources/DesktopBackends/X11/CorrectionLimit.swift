// SPDX-License-Identifier: MIT

import Autorotation

/// Limits how often a device setting is corrected that another program keeps changing: at most three times a minute. Then
/// the device is left to the other program until the next rotation, or until the user requests a repair.
struct CorrectionLimit<Device: Hashable> {
  enum Decision {
    case correct
    /// Ignore the device from now on. Returned once per device, so that it is reported once.
    case giveUp
    case ignore
  }

  static var maximumCorrections: Int { 3 }
  static var period: Duration { .seconds(60) }

  private var corrections: [Device: [Instant]] = [:]
  private var ignored: Set<Device> = []
  private var reported: Set<Device> = []

  /// What to do about a change by another program.
  mutating func decide(on device: Device, at now: Instant) -> Decision {
    guard !ignored.contains(device) else { return .ignore }
    let recent = corrections[device, default: []].filter { now < $0 + Self.period }
    guard recent.count < Self.maximumCorrections else {
      ignored.insert(device)
      return reported.insert(device).inserted ? .giveUp : .ignore
    }
    corrections[device] = recent + [now]
    return .correct
  }

  func isIgnored(_ device: Device) -> Bool { ignored.contains(device) }

  /// Corrects ignored devices again, within the same limit.
  mutating func retry() {
    ignored = []
  }

  /// A removed device starts over when it is plugged in again.
  mutating func forget(where isRemoved: (Device) -> Bool) {
    corrections = corrections.filter { !isRemoved($0.key) }
    ignored = ignored.filter { !isRemoved($0) }
    reported = reported.filter { !isRemoved($0) }
  }
}
