// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import System

extension MachineSettings {
  /// Why the on-screen keyboard cannot start; `nil` if none is configured or its program exists.
  func missingKeyboard(_ programs: ProgramSearch = ProgramSearch()) -> Message? {
    guard let name = onScreenKeyboard.first, programs.path(of: name) == nil else { return nil }
    return Message(
      .keyboardMissing, "the program “\(name)” for the on-screen keyboard is not installed",
      next: "install it, or choose another: autorotate config set tablet.on-screen-keyboard PROGRAM")
  }
}
