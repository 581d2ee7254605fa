// SPDX-License-Identifier: MIT

extension InterfaceOrientation {
  /// `plainName` within a sentence for the user.
  package var nameInSentence: Phrase {
    switch self {
    case .normal: "upright"
    case .left: "left edge up"
    case .inverted: "upside down"
    case .right: "right edge up"
    }
  }
}
