// SPDX-License-Identifier: MIT

/// Which way up the picture stands, for the person who looks at it: UIKit's four
/// `UIInterfaceOrientation`s under the words of xrandr.
///
/// The raw value counts quarter turns of the picture anticlockwise from natural.
package enum InterfaceOrientation: UInt8, CaseIterable, Sendable {
  case normal, left, inverted, right

  /// The picture that stands upright when the device is held like this; `nil` where the device
  /// does not say (flat, or unknown), so that whoever asks keeps what is shown.
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

  /// By the edge of the device that is on top: for people who never type.
  package var plainName: Phrase {
    switch self {
    case .normal: "Upright"
    case .left: "Left Side Up"
    case .inverted: "Upside Down"
    case .right: "Right Side Up"
    }
  }

  /// The word that people type and read, on the command line, in settings and on the bus.
  package var word: String {
    switch self {
    case .normal: "normal"
    case .left: "left"
    case .inverted: "inverted"
    case .right: "right"
    }
  }

  /// Quarter turns between two pictures: 0, 1 or 2.
  package func quarterTurns(to other: Self) -> Int {
    let turns = Int((other.rawValue &- rawValue) & 3)
    return min(turns, 4 - turns)
  }
}
