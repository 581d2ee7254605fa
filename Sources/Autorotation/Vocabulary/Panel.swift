// SPDX-License-Identifier: MIT

/// How a panel is built into its device: which of the panel's own edges is up when the device
/// stands normally. DRM's "panel orientation".
///
/// The raw value counts the quarter turns, anticlockwise, that show an upright picture.
package enum PanelMount: UInt8, CaseIterable, Sendable {
  case topUp, leftSideUp, upsideDown, rightSideUp
}

/// Which way a picture lies: wide or high.
package enum PanelAspect: Sendable {
  case landscape, portrait
}
