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

  /// The wide (or high) pictures of a panel, which depend on which way its natural picture lies.
  package static func landscape(on natural: PanelAspect) -> Self {
    natural == .landscape ? [Self(.normal), Self(.inverted)] : [Self(.left), Self(.right)]
  }

  package static func portrait(on natural: PanelAspect) -> Self {
    all.subtracting(landscape(on: natural))
  }

  package func contains(_ orientation: InterfaceOrientation) -> Bool {
    contains(Self(orientation))
  }

  /// In the order normal, left, inverted, right.
  package var orientations: [InterfaceOrientation] {
    InterfaceOrientation.allCases.filter(contains)
  }

  /// For a person: "left or right", "any".
  package var words: Phrase {
    if self == .all { return "any" }
    let words = orientations.map { Phrase(verbatim: $0.word) }
    return words.dropFirst().reduce(words.first ?? "") { before, last -> Phrase in "\(before) or \(last)" }
  }
}
