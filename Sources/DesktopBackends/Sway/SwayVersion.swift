// SPDX-License-Identifier: MIT

/// Which sway it is, as `get_version` tells; a fork counts from its own beginning, and so as an old one.
struct SwayVersion: Comparable {
  var major: Int
  var minor: Int
  var patch: Int

  init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// `nil` for what tells none.
  init?(_ value: JSONValue) {
    guard let major = value["major"]?.int, let minor = value["minor"]?.int else { return nil }
    self.init(major, minor, value["patch"]?.int ?? 0)
  }

  static func < (one: Self, other: Self) -> Bool {
    (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
  }

  /// Whether it finds out which touchscreen is built in. Since 1.7 it wants to, but before this one it asked for a
  /// path that is `platform-…` and `pci-…` at once (its 39ddab8c8, 2024-11).
  var mapsBuiltInTouchscreens: Bool { self >= Self(1, 10, 1) }
}
