// SPDX-License-Identifier: MIT

/// How a gyroscope is related to an accelerometer, from the surest sign that both rotate together to the weakest.
nonisolated enum GyroscopeRelation: Int, Comparable {
  /// One device of the kernel measures both.
  case device
  /// Two devices of one chip.
  case chip
  /// Both have the same location; nothing else is known of them.
  case place
  /// Two sensors of one hub.
  case hub

  /// A device of the kernel and its path.
  struct Sensor: Equatable, Sendable {
    var candidate: AccelerometerCandidate
    /// In /sys/devices.
    var path: String?

    fileprivate var parent: String? { path.flatMap(Self.parent) }

    /// The parent of HID's and ChromeOS's sensors, each of which is a device of its own. A bus is not a hub.
    fileprivate var hub: String? {
      guard let hub = parent.flatMap(Self.parent), let name = hub.split(separator: "/").last else {
        return nil
      }
      let isBus = ["i2c-", "spi"].contains {
        name.hasPrefix($0) && name.dropFirst($0.count).allSatisfy(\.isNumber)
      }
      return isBus || name == "platform" || name == "virtual" ? nil : hub
    }

    private static func parent(of path: String) -> String? {
      path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
  }

  /// `nil` if nothing suggests that they rotate together.
  init?(_ gyroscope: Sensor, of accelerometer: Sensor) {
    let place = accelerometer.candidate.place ?? .display
    guard !gyroscope.candidate.isInJoypad, gyroscope.candidate.place ?? place == place else { return nil }
    if gyroscope.candidate.id == accelerometer.candidate.id {
      self = .device
    } else if let parent = gyroscope.parent, parent == accelerometer.parent {
      self = .chip
    } else if gyroscope.candidate.place == place {
      self = .place
    } else if let hub = gyroscope.hub, hub == accelerometer.hub {
      self = .hub
    } else {
      return nil
    }
  }

  /// Whether the mount matrix of one applies to the other.
  var sharesMount: Bool { self != .place }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

nonisolated extension IIOContext {
  /// The gyroscope that rotates with an accelerometer, and how they are related.
  func gyroscope(of accelerometer: IIODevice) -> (device: IIODevice, relation: GyroscopeRelation)? {
    let own = accelerometer.relatedSensor
    let found = gyroscopes.compactMap { device in
      GyroscopeRelation(device.relatedSensor, of: own).map { (device: device, relation: $0) }
    }
    return found.min { $0.relation < $1.relation }
  }
}

nonisolated extension IIODevice {
  fileprivate var relatedSensor: GyroscopeRelation.Sensor {
    GyroscopeRelation.Sensor(candidate: candidate, path: path)
  }
}
