// SPDX-License-Identifier: MIT

/// What shape a convertible is in.
package enum Posture: String, CaseIterable, Sendable {
  case unknown, tablet, laptop, docked
  /// A tablet that stands on the free edges of display and base, the hinge up.
  case tent
  /// A tablet that stands on its keyboard.
  case stand

  /// For a person.
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

  /// Whether it is known that nobody types on the keyboard: that of a tent faces away, that of a stand the table. The
  /// kernel's drivers (lenovo-ymc, thinkpad_acpi) tell of all three as SW_TABLET_MODE.
  package var isTablet: Bool { self == .tablet || self == .tent || self == .stand }

  /// Many machines tell the kernel nothing; there, rotating is better than never rotating.
  package var countsAsTablet: Bool { isTablet || self == .unknown }

  /// Whether it is that posture, or one of its kind: tent and stand are kinds of tablet.
  package func isKind(of other: Self) -> Bool { self == other || other == .tablet && isTablet }
}
