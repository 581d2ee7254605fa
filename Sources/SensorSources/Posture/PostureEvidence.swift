// SPDX-License-Identifier: MIT

import Autorotation

/// All that is known about the shape of the device.
nonisolated struct PostureEvidence: Equatable {
  /// The switches that can be read.
  var present: SwitchSet = []
  /// Those of them that are on.
  var on: SwitchSet = []
  /// What the angle between display and base says.
  var hinge = Posture.unknown

  /// The firmware comes first: it also knows a detached keyboard, and does not guess. Folded comes before docked,
  /// since some firmware calls any keyboard a dock.
  var posture: Posture {
    if on.contains(.tablet) { return .tablet }
    if on.contains(.docked) { return .docked }
    return present.contains(.tablet) ? .laptop : hinge
  }

  /// How the hinge is to be watched; not at all where a switch does it for nothing.
  func hingeWatch(isNeeded: Bool) -> HingeWatch {
    guard isNeeded, !present.contains(.tablet) else { return .off }
    return on.contains(.lidClosed) ? .lidClosed : .lidOpen
  }
}

/// Whether the angle between display and base is measured, which costs two readings a second.
nonisolated package enum HingeWatch: Equatable, Sendable {
  case off
  /// The lid is open, as far as is known.
  case lidOpen
  case lidClosed
}
