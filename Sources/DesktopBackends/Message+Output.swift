// SPDX-License-Identifier: MIT

import Autorotation

/// Messages that more than one backend uses.
extension Message {
  static func noSuchOutput(_ name: String, among names: [String]) -> Self {
    let known: Phrase =
      names.isEmpty ? "no output is connected" : "connected: \(names.joined(separator: ", "))"
    return Self(
      .outputUnknown, "there is no output “\(name)” (\(known))",
      next: "check `output` in the [display] settings")
  }

  static func switchedOff(_ name: String, next: Phrase) -> Self {
    Self(.outputBlanked, "\(name) is switched off", next: next)
  }

  /// A rotation of a blanked output might switch it on, so it is refused.
  static func isBlanked(_ name: String) -> Self {
    Self(.outputBlanked, "\(name) is blanked", next: "autorotate rotates it when it is on again")
  }

  static func unplugged(_ name: String) -> Self {
    Self(.outputUnplugged, "\(name) was unplugged during its rotation", next: "plug it in and try again")
  }
}
