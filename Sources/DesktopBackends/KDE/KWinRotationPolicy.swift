// SPDX-License-Identifier: MIT

import Autorotation
import System

/// When KWin turns an output by itself: its own setting, of each internal display.
enum KWinRotationPolicy: UInt32, Sendable {
  // The protocol's numbers (kde_output_device_v2.auto_rotate_policy).
  case never, inTabletMode, always

  private static let words = ["never", "in-tablet-mode", "always"]

  /// As it is kept in a file.
  var word: String { Self.words[Int(rawValue)] }

  init?(word: String) {
    guard let place = Self.words.firstIndex(of: word) else { return nil }
    self.init(rawValue: UInt32(place))
  }

  /// For a person: who turns the picture, and how to change that; `nil` for `never`.
  var message: Message? {
    let when: Phrase
    switch self {
    case .never: return nil
    case .inTabletMode: when = "in tablet mode"
    case .always: when = "always"
    }
    return Message(
      .desktopTurns, "KWin turns the picture by itself (\(when))",
      next: "to let autorotate do it, set take-over = true under [display] in config.toml, "
        + "or set the orientation to manual in System Settings, Display Configuration")
  }
}

/// What is to be done about KWin's own rotation.
enum KWinRotationPlan: Equatable, Sendable {
  /// It does not turn, and that is as it was.
  case nothing
  case standBack(KWinRotationPolicy)
  /// To switch it off, and to remember what it was.
  case switchOff(KWinRotationPolicy)
  /// To make it again what it was before we switched it off, and to forget that.
  case putBack(KWinRotationPolicy)

  /// - Parameters:
  ///   - found: what it is now.
  ///   - kept: what it was before we switched it off, in this run or one that was killed.
  init(found: KWinRotationPolicy, kept: KWinRotationPolicy?, takesOver: Bool) {
    switch (found, kept) {
    case (.never, _) where takesOver: self = .nothing
    case (.never, let kept?): self = .putBack(kept)
    case (.never, nil): self = .nothing
    // Whoever has switched it on again since meant that.
    default: self = takesOver ? .switchOff(found) : .standBack(found)
    }
  }
}

extension StateTable<KWinRotationPolicy> {
  /// What KWin's own rotation was before we switched it off, kept over a crash in
  /// `$XDG_STATE_HOME/autorotate/kwin-rotation`.
  init(variable: (String) -> String?) {
    let file = StateFile(.state, "kwin-rotation", variable: variable)
    self.init(file, value: KWinRotationPolicy.init(word:), word: \.word)
  }
}
