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
