// SPDX-License-Identifier: MIT

/// The rotation that is sent to a display, in quarter turns anticlockwise, as `wl_output.transform` counts them.
///
/// With `rotated90`, the top of the screen content is at the panel's left edge.
package enum DisplayTransform: UInt8, CaseIterable, Sendable {
  case none, rotated90, rotated180, rotated270

  /// The transform that shows `orientation` on a panel with this mount.
  package init(showing orientation: InterfaceOrientation, on mount: PanelMount) {
    self = Self.allCases[Int((orientation.rawValue &+ mount.rawValue) & 3)]
  }

  /// The orientation that this transform shows on a panel with this mount.
  package func orientation(on mount: PanelMount) -> InterfaceOrientation {
    InterfaceOrientation.allCases[Int((rawValue &- mount.rawValue) & 3)]
  }

  /// Whether it swaps width and height.
  package var swapsSides: Bool { rawValue & 1 == 1 }
}

extension Set<DisplayTransform> {
  /// For a display that supports every rotation.
  package static var all: Self { Self(DisplayTransform.allCases) }
}

/// The transform for one output.
package struct PanelRotation: Equatable, Sendable {
  /// The connector's name.
  package var output: String
  package var transform: DisplayTransform

  package init(_ output: String, to transform: DisplayTransform) {
    self.output = output
    self.transform = transform
  }
}
