// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import System

extension MachineSettings {
  /// Why the on-screen keyboard will not start; `nil` if there is to be none, or its program is there.
  func missingKeyboard(_ programs: ProgramSearch = ProgramSearch()) -> Message? {
    guard let name = onScreenKeyboard.first, programs.path(of: name) == nil else { return nil }
    return Message(
      .keyboardMissing, "there is no program “\(name)” to be started as the on-screen keyboard",
      next: "install it, or name another one: autorotate config set tablet.on-screen-keyboard PROGRAM")
  }
}
