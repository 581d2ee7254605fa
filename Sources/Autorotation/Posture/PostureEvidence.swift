// SPDX-License-Identifier: MIT

/// An input device that tells something of the posture.
package struct PostureWitness: Hashable, Sendable {
  package enum Kind: String, Sendable {
    /// The kernel's SW_TABLET_MODE.
    case tabletSwitch = "switch"
    /// Firmware that tells by keys: KEY_F23 when it is folded, KEY_F22 when it is unfolded.
    case keys
    /// SW_DOCK.
    case dock
    /// The keyboard or cover that the settings name: laptop while it is there, tablet while it is not.
    case keyboard
    /// The person, by a command.
    case hand
  }

  package var kind: Kind
  /// "Intel HID switches"
  package var name: String
  /// "intel-hid"; empty if the kernel does not say.
  package var driver: String
  /// "/dev/input/event6"
  package var node: String

  package init(kind: Kind, name: String, driver: String = "", node: String = "") {
    self.kind = kind
    self.name = name
    self.driver = driver
    self.node = node
  }

  /// - Parameter wanted: a name as the settings have it, where `*` and `?` stand for any text and any character: that of
  ///   the device, of its driver or of its node.
  package func isCalled(_ wanted: String) -> Bool {
    [name, driver, node].contains { ApplicationRule.pattern(wanted, matches: $0) }
  }
}

extension PostureWitness: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.kind.rawValue, left.name, left.node) < (right.kind.rawValue, right.name, right.node)
  }
}

/// All that the input devices say at one moment.
package struct PostureEvidence: Equatable, Sendable {
  /// What each says; `unknown` for nothing, or nothing yet.
  package var words: [PostureWitness: Posture]
  package var isLidClosed: Bool

  package init(_ words: [PostureWitness: Posture] = [:], isLidClosed: Bool = false) {
    self.words = words
    self.isLidClosed = isLidClosed
  }
}

/// What the angle between display and base says.
package struct HingeWord: Equatable, Sendable {
  package var posture: Posture
  /// Whether the last readings were clear, and not in the span where the posture stays as it was.
  package var isSure: Bool

  package init(_ posture: Posture = .unknown, isSure: Bool = true) {
    self.posture = posture
    self.isSure = isSure
  }
}

/// Whether the angle between display and base is measured, which costs two readings a second.
package enum HingeWatch: Equatable, Sendable {
  case off
  /// The lid is open, as far as is known.
  case lidOpen
  case lidClosed
}

/// Whose word on folding counts.
package enum TabletSwitchChoice: Equatable, Sendable {
  /// Any tablet switch.
  case automatic
  /// The devices of this name, driver or node, be it by a switch or by keys.
  case named(String)
  /// No device; a hinge counts all the same.
  case none

  /// - Parameter word: as the settings have it.
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

/// What one of those that tell of the posture says, for people.
package struct PostureTestimony: Equatable, Sendable {
  /// `nil` for the hinge.
  package var witness: PostureWitness?
  package var says: Posture
  /// When it last changed; `nil` if it has not since the start.
  package var changedAt: Instant?
  /// Whether the posture follows it.
  package var counts: Bool

  package init(witness: PostureWitness? = nil, says: Posture, changedAt: Instant? = nil, counts: Bool) {
    self.witness = witness
    self.says = says
    self.changedAt = changedAt
    self.counts = counts
  }
}
