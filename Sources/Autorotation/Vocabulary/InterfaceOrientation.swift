// SPDX-License-Identifier: MIT

/// The screen orientation: UIKit's four `UIInterfaceOrientation`s under the names of xrandr.
///
/// The raw value counts quarter turns of the screen content anticlockwise from normal.
package enum InterfaceOrientation: UInt8, CaseIterable, Sendable {
  case normal, left, inverted, right

  /// The screen orientation that is upright in this device orientation; `nil` for flat or unknown, where the screen
  /// keeps its orientation.
  package init?(_ device: DeviceOrientation) {
    switch device {
    case .normal: self = .normal
    case .leftUp: self = .left
    case .bottomUp: self = .inverted
    case .rightUp: self = .right
    case .faceUp, .faceDown, .unknown: return nil
    }
  }

  package init?(word: String) {
    guard let match = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = match
  }

  /// By the edge of the device that is up: for user interfaces.
  package var plainName: Phrase {
    switch self {
    case .normal: "Upright"
    case .left: "Left Edge Up"
    case .inverted: "Upside Down"
    case .right: "Right Edge Up"
    }
  }

  /// The name on the command line, in settings and on the bus.
  package var word: String { ["normal", "left", "inverted", "right"][Int(rawValue)] }

  /// Quarter turns between two orientations: 0, 1 or 2.
  package func quarterTurns(to other: Self) -> Int {
    let turns = Int((other.rawValue &- rawValue) & 3)
    return min(turns, 4 - turns)
  }
}
