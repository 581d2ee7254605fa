// SPDX-License-Identifier: MIT

/// What shape a convertible is in.
package enum Posture: String, CaseIterable, Sendable {
  case unknown, tablet, laptop, docked

  /// For a person.
  package var words: Phrase {
    switch self {
    case .unknown: "unknown"
    case .tablet: "tablet"
    case .laptop: "laptop"
    case .docked: "docked"
    }
  }

  /// Many machines tell the kernel nothing; there, rotating is better than never rotating.
  package var countsAsTablet: Bool { self == .tablet || self == .unknown }
}
