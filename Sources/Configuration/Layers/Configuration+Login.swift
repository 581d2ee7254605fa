// SPDX-License-Identifier: MIT

import Autorotation

extension Configuration {
  /// The configuration for a login screen: no lasting changes, no started programs, no notifications, and the keyboard stays
  /// enabled for typing the password.
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
