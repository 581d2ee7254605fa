// SPDX-License-Identifier: MIT

import Autorotation

extension Configuration {
  /// What applies at a login screen: nothing that outlives it or starts a program, nobody is notified, and the keyboard
  /// stays on, since it types the password.
  package var atLogin: Self {
    var configuration = self
    configuration.machine.takesOver = false
    configuration.machine.disablesInput = false
    configuration.machine.onScreenKeyboard = []
    configuration.machine.runsHooks = false
    configuration.machine.notifiesOfErrors = false
    configuration.settings.suggestsWhileLocked = false
    return configuration
  }
}
