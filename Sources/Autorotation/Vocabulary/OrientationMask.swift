// SPDX-License-Identifier: MIT

/// A set of interface orientations, UIKit's `UIInterfaceOrientationMask`.
package struct OrientationMask: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package init(_ orientation: InterfaceOrientation) {
    self.init(rawValue: 1 << orientation.rawValue)
  }

  package static let natural = Self(.normal)
  package static let all: Self = [Self(.normal), Self(.left), Self(.inverted), Self(.right)]
  package static let allButUpsideDown = all.subtracting(Self(.inverted))

  /// The orientations in which the screen is wide (or high), depending on the panel's aspect in normal orientation.
  package static func landscape(on natural: PanelAspect) -> Self {
    natural == .landscape ? [Self(.normal), Self(.inverted)] : [Self(.left), Self(.right)]
  }

  package static func portrait(on natural: PanelAspect) -> Self {
    all.subtracting(landscape(on: natural))
  }

  package func contains(_ orientation: InterfaceOrientation) -> Bool { contains(Self(orientation)) }

  /// In the order normal, left, inverted, right.
  package var orientations: [InterfaceOrientation] {
    InterfaceOrientation.allCases.filter(contains)
  }

  /// For fields, with the words of commands: "left or right", "any".
  package var words: Phrase { phrase { Phrase(verbatim: $0.word) } }

  /// For sentences: "left edge up or right edge up", "any".
  /// - Parameter panel: as for `InterfaceOrientation.name(on:)`.
  package func names(on panel: PanelAspect?) -> Phrase { phrase { $0.name(on: panel) } }

  private func phrase(_ name: (InterfaceOrientation) -> Phrase) -> Phrase {
    if self == .all { return "any" }
    let names = orientations.map(name)
    return names.dropFirst().reduce(names.first ?? "") { before, last -> Phrase in "\(before) or \(last)" }
  }
}

/// A name for a set of orientations. Only a panel makes it an `OrientationMask`, since landscape and portrait depend on
/// the panel.
///
/// The names with `-primary` and `-secondary` are those of W3C's Screen Orientation: primary is normal, or one quarter
/// turn anticlockwise from it.
package enum OrientationName: String, CaseIterable, Sendable {
  case normal, left, inverted, right
  case landscape, portrait, natural, all
  case allButUpsideDown = "all-but-upside-down"
  case landscapePrimary = "landscape-primary"
  case landscapeSecondary = "landscape-secondary"
  case portraitPrimary = "portrait-primary"
  case portraitSecondary = "portrait-secondary"

  package func mask(on natural: PanelAspect) -> OrientationMask {
    switch self {
    case .normal, .natural: .natural
    case .left: OrientationMask(.left)
    case .inverted: OrientationMask(.inverted)
    case .right: OrientationMask(.right)
    case .landscape: .landscape(on: natural)
    case .portrait: .portrait(on: natural)
    case .all: .all
    case .allButUpsideDown: .allButUpsideDown
    case .landscapePrimary: .landscape(on: natural).intersection(Self.primary)
    case .landscapeSecondary: .landscape(on: natural).subtracting(Self.primary)
    case .portraitPrimary: .portrait(on: natural).intersection(Self.primary)
    case .portraitSecondary: .portrait(on: natural).subtracting(Self.primary)
    }
  }

  private static let primary: OrientationMask = [OrientationMask(.normal), OrientationMask(.left)]
}

extension Array<OrientationName> {
  /// The union of all masks.
  package func mask(on natural: PanelAspect) -> OrientationMask {
    reduce(into: []) { $0.formUnion($1.mask(on: natural)) }
  }
}
