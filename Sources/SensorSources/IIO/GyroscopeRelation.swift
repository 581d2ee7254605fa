// SPDX-License-Identifier: MIT

/// How a gyroscope is related to an accelerometer, from the surest sign that both rotate together to the weakest.
nonisolated enum GyroscopeRelation: Comparable {
  /// One device of the kernel measures both.
  case device
  /// Two devices of one chip.
  case chip
  /// Both have the same location; nothing else is known of them.
  case place
  /// Two sensors of one hub.
  case hub

  /// `nil` if nothing suggests that they rotate together.
  init?(_ gyroscope: AccelerometerCandidate, of accelerometer: AccelerometerCandidate) {
    let place = accelerometer.place ?? .display
    guard !gyroscope.isInJoypad, gyroscope.place ?? place == place else { return nil }
    let signs: [(relation: Self, isThere: Bool)] = [
      (.device, gyroscope.id == accelerometer.id),
      (.chip, gyroscope.parent != nil && gyroscope.parent == accelerometer.parent),
      (.place, gyroscope.place == place),
      (.hub, gyroscope.hub != nil && gyroscope.hub == accelerometer.hub),
    ]
    guard let first = signs.first(where: \.isThere) else { return nil }
    self = first.relation
  }

  /// Whether the mount matrix of one applies to the other.
  var sharesMount: Bool { self != .place }
}

nonisolated extension AccelerometerCandidate {
  fileprivate var parent: String? { path.flatMap(Self.parent) }

  /// The parent of HID's and ChromeOS's sensors, each of which is a device of its own. A bus is not a hub.
  fileprivate var hub: String? {
    guard let hub = parent.flatMap(Self.parent), let name = hub.split(separator: "/").last else { return nil }
    let isBus = ["i2c-", "spi"].contains {
      name.hasPrefix($0) && name.dropFirst($0.count).allSatisfy(\.isNumber)
    }
    return isBus || name == "platform" || name == "virtual" ? nil : hub
  }

  private static func parent(of path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}

nonisolated extension IIOContext {
  /// The gyroscope that rotates with an accelerometer, and how they are related.
  func gyroscope(of accelerometer: IIODevice) -> (device: IIODevice, relation: GyroscopeRelation)? {
    let own = accelerometer.candidate
    let found = gyroscopes.compactMap { device in
      GyroscopeRelation(device.candidate, of: own).map { (device: device, relation: $0) }
    }
    return found.min { $0.relation < $1.relation }
  }
}
