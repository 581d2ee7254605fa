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

  /// The name in sentences for users.
  /// - Parameter panel: the aspect of the panel that it is about; `nil` if that is not known.
  package func name(on panel: PanelAspect?) -> Phrase { names(on: panel).inSentence }

  /// The name in titles, buttons and menus.
  /// - Parameter panel: as for `name(on:)`.
  package func title(on panel: PanelAspect?) -> Phrase { names(on: panel).title }

  private func names(on panel: PanelAspect?) -> (inSentence: Phrase, title: Phrase) {
    switch (self, panel) {
    case (.normal, .landscape?): ("landscape", "Landscape")
    case (.normal, .portrait?): ("portrait", "Portrait")
    case (.normal, nil): ("upright", "Upright")
    case (.left, _): ("left edge up", "Left Edge Up")
    case (.inverted, _): ("upside down", "Upside Down")
    case (.right, _): ("right edge up", "Right Edge Up")
    }
  }

  /// The name on the command line, in settings and on the bus.
  package var word: String { ["normal", "left", "inverted", "right"][Int(rawValue)] }

  /// Quarter turns between two orientations: 0, 1 or 2.
  package func quarterTurns(to other: Self) -> Int {
    let turns = Int((other.rawValue &- rawValue) & 3)
    return min(turns, 4 - turns)
  }

  func rotated(quarters: Int) -> Self {
    Self(rawValue: UInt8((Int(rawValue) + quarters) & 3)) ?? self
  }
}
