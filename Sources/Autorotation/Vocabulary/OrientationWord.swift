// SPDX-License-Identifier: MIT

/// What a person may write where a set of orientations is asked for. It becomes an
/// `OrientationMask` only on a panel, since landscape and portrait depend on it.
///
/// The `-primary` and `-secondary` words are those of W3C's Screen Orientation: primary is natural,
/// or one quarter turn anticlockwise from it.
package enum OrientationWord: String, CaseIterable, Sendable {
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

extension Array<OrientationWord> {
  /// All that any of the words allows.
  package func mask(on natural: PanelAspect) -> OrientationMask {
    reduce(into: []) { $0.formUnion($1.mask(on: natural)) }
  }
}
