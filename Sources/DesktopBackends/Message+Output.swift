// SPDX-License-Identifier: MIT

import Autorotation

/// The sentences that more than one desktop needs.
extension Message {
  static func noSuchOutput(_ name: String, among names: [String]) -> Self {
    let known: Phrase =
      names.isEmpty ? "no output is connected" : "connected: \(names.joined(separator: ", "))"
    return Self(
      .outputUnknown, "there is no output “\(name)” (\(known))",
      next: "check `output` in the [display] settings")
  }

  static func switchedOff(_ name: String, next: Phrase) -> Self {
    Self(.outputDark, "\(name) is switched off", next: next)
  }

  /// What turns it then might light it.
  static func isDark(_ name: String) -> Self {
    Self(.outputDark, "\(name) is dark", next: "it is turned when it shows a picture again")
  }

  static func unplugged(_ name: String) -> Self {
    Self(
      .outputUnplugged, "\(name) was unplugged while it was being turned", next: "plug it in and try again")
  }
}
