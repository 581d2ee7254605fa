// SPDX-License-Identifier: MIT

/// What a gyroscope has in common with an accelerometer; first what leaves no doubt that they turn together.
nonisolated enum GyroscopeKinship: Int, Comparable {
  /// The kernel's device is both.
  case device
  /// Two devices of one chip.
  case chip
  /// Built in at the same place: all that is known of them.
  case place
  /// Two sensors behind one hub.
  case hub

  /// A device of the kernel, and where it stands.
  struct Relative: Equatable, Sendable {
    var candidate: AccelerometerCandidate
    /// In /sys/devices.
    var path: String?

    fileprivate var parent: String? { path.flatMap(Self.parent) }

    /// Of sensors that are devices of their own behind it: HID's and ChromeOS's. A bus is none.
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

  /// `nil` if there is no reason to believe that they turn together.
  init?(_ gyroscope: Relative, of accelerometer: Relative) {
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

  /// Whether what is known of how the one is mounted holds for the other.
  var sharesMount: Bool { self != .place }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

nonisolated extension IIOContext {
  /// The gyroscope that turns with an accelerometer, and why that is believed.
  func gyroscope(of accelerometer: IIODevice) -> (device: IIODevice, kinship: GyroscopeKinship)? {
    let own = accelerometer.relative
    let found = gyroscopes.compactMap { device in
      GyroscopeKinship(device.relative, of: own).map { (device: device, kinship: $0) }
    }
    return found.min { $0.kinship < $1.kinship }
  }
}

nonisolated extension IIODevice {
  fileprivate var relative: GyroscopeKinship.Relative {
    GyroscopeKinship.Relative(candidate: candidate, path: path)
  }
}
