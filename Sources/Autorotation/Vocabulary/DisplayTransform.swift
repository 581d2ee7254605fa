// SPDX-License-Identifier: MIT

/// The quarter turn that a display is sent, counted anticlockwise as `wl_output.transform` counts.
///
/// With `turned90` the picture's top lies at the panel's left edge.
package enum DisplayTransform: UInt8, CaseIterable, Sendable {
  case none, turned90, turned180, turned270

  /// The turn that shows `orientation` on a panel built in like `mount`.
  package init(showing orientation: InterfaceOrientation, on mount: PanelMount) {
    self = Self.allCases[Int((orientation.rawValue &+ mount.rawValue) & 3)]
  }

  /// The picture that this turn shows on a panel built in like `mount`.
  package func orientation(on mount: PanelMount) -> InterfaceOrientation {
    InterfaceOrientation.allCases[Int((rawValue &- mount.rawValue) & 3)]
  }

  /// Whether width and height change places.
  package var swapsSides: Bool { rawValue & 1 == 1 }
}

/// A set of turns that a display can do.
package struct TransformSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package init(_ transform: DisplayTransform) {
    self.init(rawValue: 1 << transform.rawValue)
  }

  package static let all = Self(rawValue: 0b1111)

  package func contains(_ transform: DisplayTransform) -> Bool {
    contains(Self(transform))
  }
}
