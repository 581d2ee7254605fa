// SPDX-License-Identifier: MIT

/// What shape a convertible is in.
package enum Posture: String, CaseIterable, Sendable {
  case unknown, tablet, laptop, docked

  /// Many machines tell the kernel nothing; there, rotating is better than never rotating.
  package var countsAsTablet: Bool { self == .tablet || self == .unknown }
}
