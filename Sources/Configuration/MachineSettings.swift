// SPDX-License-Identifier: MIT

package import Autorotation

/// The settings of the machine, which the rotation logic does not need.
package struct MachineSettings: Equatable, Sendable {
  package enum SensorSource: Equatable, Sendable {
    /// The accelerometer where it can be read, else iio-sensor-proxy.
    case auto
    case iio
    case proxy
    /// A recorded trace.
    case replay(path: String)
  }

  package var sensorSource = SensorSource.auto
  package var accelerometer = AccelerometerSettings()
  /// Names of the touchscreens and pens that rotate with the panel; `*` and `?` match any text and any character. `nil` for
  /// the built-in ones.
  package var touchDevices: [String]?
  /// Names of touchscreens and pens that never rotate.
  package var ignoredTouchDevices: [String] = []
  /// The outputs of touchscreens and pens, where the system does not report them. The first match applies.
  package var touchMap: [TouchAssignment] = []
  /// Whether to disable the desktop's own rotation.
  package var takesOver = false
  /// Whether keyboard, touchpad and pointing stick are disabled in tablet mode.
  package var disablesInput = false
  /// The names of these devices; `auto` means the built-in ones.
  package var disabledDevices = ["auto"]
  /// The command that runs in tablet mode, with its arguments; empty for none.
  package var onScreenKeyboard: [String] = []
  /// Whether the programs in will-rotate.d, did-rotate.d and posture.d run.
  package var runsHooks = true
  /// Whether errors that the user must fix are shown as notifications, not only logged.
  package var notifiesOfErrors = true

  package init() {}
}
