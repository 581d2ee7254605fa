// SPDX-License-Identifier: MIT

package import Autorotation

/// RandR's words for a quarter turn: one bit each, counted anticlockwise as ours.
///
/// | ours | RandR | bit | xrandr |
/// |---|---|---|---|
/// | none | RR_Rotate_0 | 1 | normal |
/// | turned90 | RR_Rotate_90 | 2 | left |
/// | turned180 | RR_Rotate_180 | 4 | inverted |
/// | turned270 | RR_Rotate_270 | 8 | right |
///
/// The bits 16 and 32 mirror the picture in x and y, after the turn. Nobody asks us to, so whoever
/// set them finds them as they were.
extension DisplayTransform {
  package var randrRotation: UInt16 { 1 << UInt16(rawValue) }

  /// The turn in a CRTC's rotation, without its reflection; `nil` if there is none or more than one.
  package init?(randrRotation: UInt16) {
    switch randrRotation & 0b1111 {
    case 1: self = .none
    case 2: self = .turned90
    case 4: self = .turned180
    case 8: self = .turned270
    default: return nil
    }
  }

  /// A CRTC's rotation with this turn in place of its own, and its reflection kept.
  func replacingTurn(in randrRotation: UInt16) -> UInt16 {
    randrRotation & ~0b1111 | self.randrRotation
  }
}

extension TransformSet {
  /// The turns among the rotations that a CRTC offers.
  init(randrRotations: UInt16) {
    self.init(rawValue: UInt8(randrRotations & 0b1111))
  }
}
