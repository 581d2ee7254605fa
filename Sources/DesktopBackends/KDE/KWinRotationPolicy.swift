// SPDX-License-Identifier: MIT

import Autorotation
import System

/// When KWin rotates an output automatically: a setting of each internal display.
enum KWinRotationPolicy: UInt32, CaseIterable, Sendable {
  // The protocol's numbers (kde_output_device_v2.auto_rotate_policy).
  case never, inTabletMode, always

  /// As written to a file.
  var word: String { ["never", "in-tablet-mode", "always"][Int(rawValue)] }

  /// The message for the user; `nil` for `never`.
  var message: Message? {
    guard self != .never else { return nil }
    let when: Phrase = self == .inTabletMode ? "in tablet mode" : "always"
    return Message(
      .desktopRotates, "KWin rotates the screen automatically (\(when))",
      next: "to let autorotate do it, set take-over = true under [display] in config.toml, "
        + "or set the orientation to manual in System Settings, Display Configuration")
  }
}

/// The action to take about KWin's own rotation.
enum KWinRotationPlan: Equatable, Sendable {
  /// KWin does not rotate, as was set.
  case nothing
  case leaveAlone(KWinRotationPolicy)
  /// Switch it off, and keep the previous policy.
  case switchOff(KWinRotationPolicy)
  /// Restore the kept policy, and delete the record.
  case restore(KWinRotationPolicy)

  /// - Parameters:
  ///   - found: the current policy.
  ///   - kept: the policy before autorotate switched it off, in this run or one that was killed.
  init(found: KWinRotationPolicy, kept: KWinRotationPolicy?, takesOver: Bool) {
    switch (found, kept) {
    case (.never, _) where takesOver: self = .nothing
    case (.never, let kept?): self = .restore(kept)
    case (.never, nil): self = .nothing
    // The user has switched it on again since.
    default: self = takesOver ? .switchOff(found) : .leaveAlone(found)
    }
  }
}

extension StateTable<KWinRotationPolicy> {
  /// The policies before autorotate switched KWin's own rotation off, kept over a crash in
  /// `$XDG_STATE_HOME/autorotate/kwin-rotation`.
  init(variable: (String) -> String?) {
    let file = StateFile(.state, "kwin-rotation", variable: variable)
    self.init(file, value: { word in KWinRotationPolicy.allCases.first { $0.word == word } }, word: \.word)
  }
}
