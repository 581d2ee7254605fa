// SPDX-License-Identifier: MIT

/// The state of a convertible: folded, unfolded or docked.
package enum Posture: String, CaseIterable, Sendable {
  case unknown, tablet, laptop, docked
  /// A tablet that stands on the free edges of display and base, the hinge up.
  case tent
  /// A tablet that stands on its keyboard.
  case stand

  /// For messages.
  package var words: Phrase {
    switch self {
    case .unknown: "unknown"
    case .tablet: "tablet"
    case .laptop: "laptop"
    case .docked: "docked"
    case .tent: "tent"
    case .stand: "stand"
    }
  }

  /// Whether the keyboard is known to be unusable: that of a tent faces away, that of a stand faces the table. The
  /// kernel's drivers (lenovo-ymc, thinkpad_acpi) report SW_TABLET_MODE for all three.
  package var isTablet: Bool { self == .tablet || self == .tent || self == .stand }

  /// Many machines do not report their posture; there, rotating is better than never rotating.
  package var isTreatedAsTablet: Bool { isTablet || self == .unknown }

  /// Whether it is that posture or a kind of it: tent and stand are kinds of tablet.
  package func isKind(of other: Self) -> Bool { self == other || other == .tablet && isTablet }
}

/// An input for the posture: a device, or the user.
package struct PostureInput: Hashable, Sendable {
  package enum Kind: String, Sendable {
    /// The kernel's SW_TABLET_MODE.
    case tabletSwitch = "switch"
    /// Firmware that sends keys: KEY_F23 when folded, KEY_F22 when unfolded.
    case keys
    /// SW_DOCK.
    case dock
    /// The keyboard or cover named in the settings: laptop while it is attached, tablet while it is not.
    case keyboard
    /// The user, by a command.
    case user = "hand"
  }

  package var kind: Kind
  /// "Intel HID switches"
  package var name: String
  /// "intel-hid"; empty if the kernel does not report it.
  package var driver: String
  /// "/dev/input/event6"
  package var node: String

  package init(kind: Kind, name: String, driver: String = "", node: String = "") {
    self.kind = kind
    self.name = name
    self.driver = driver
    self.node = node
  }

  /// - Parameter pattern: from the settings, where `*` and `?` stand for any text and any character; it is compared
  ///   with the names of the device, its driver and its node.
  package func matches(_ pattern: String) -> Bool {
    [name, driver, node].contains { ApplicationRule.pattern(pattern, matches: $0) }
  }
}

extension PostureInput: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.kind.rawValue, left.name, left.node) < (right.kind.rawValue, right.name, right.node)
  }
}

/// What all input devices report at one moment.
package struct PostureEvidence: Equatable, Sendable {
  /// `unknown` until an input reports.
  package var postures: [PostureInput: Posture]
  package var isLidClosed: Bool

  package init(_ postures: [PostureInput: Posture] = [:], isLidClosed: Bool = false) {
    self.postures = postures
    self.isLidClosed = isLidClosed
  }
}

/// The posture by the angle between display and base.
package struct HingeReading: Equatable, Sendable {
  package var posture: Posture
  /// False within the hysteresis range.
  package var isCertain: Bool

  package init(_ posture: Posture = .unknown, isCertain: Bool = true) {
    self.posture = posture
    self.isCertain = isCertain
  }
}

/// Whether the angle between display and base is measured, which takes two readings a second.
package enum HingeWatch: Equatable, Sendable {
  case off
  /// Not measured while the screen is off, which is no sign of another posture.
  case paused
  /// The lid is open, or its state unknown.
  case lidOpen
  case lidClosed
}

/// Which devices decide whether the device is folded.
package enum TabletSwitchChoice: Equatable, Sendable {
  /// Any tablet switch.
  case automatic
  /// The devices with this name, driver or node, whether they report by a switch or by keys.
  case named(String)
  /// No device; a hinge is still used.
  case none

  /// - Parameter word: the value in the settings.
  package init(_ word: String) {
    self = word == "auto" ? .automatic : word == "none" ? .none : .named(word)
  }

  package var word: String {
    switch self {
    case .automatic: "auto"
    case .named(let name): name
    case .none: "none"
    }
  }
}

/// What one input reports of the posture, for status.
package struct PostureReading: Equatable, Sendable {
  /// `nil` for the hinge.
  package var input: PostureInput?
  package var posture: Posture
  /// When it last changed; `nil` if it has not since the start.
  package var changedAt: Instant?
  /// Whether the posture comes from it.
  package var isUsed: Bool
}
