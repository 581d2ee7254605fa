// SPDX-License-Identifier: MIT

package import Autorotation

/// The settings that the decision does not need: those about this machine.
package struct MachineSettings: Equatable, Sendable {
  package enum SensorSource: Equatable, Sendable {
    /// The accelerometer itself where it can be read, else iio-sensor-proxy.
    case auto
    case iio
    case proxy
    /// A recorded trace.
    case replay(path: String)
  }

  package var sensorSource = SensorSource.auto
  /// `nil` for what the system says.
  package var mountMatrix: MountMatrix?
  /// Samples a second, 4 to 100; `nil` for as many as the decision needs.
  package var sensorRate: Double?
  /// Whether a gyroscope that turns with the accelerometer is read, too.
  package var usesGyroscope = true
  /// Names of the touch screens and pens that turn with the panel; `*` and `?` stand for any text and any
  /// character. `nil` for those that are built in.
  package var touchDevices: [String]?
  /// Names of touch screens and pens that never turn.
  package var ignoredTouchDevices: [String] = []
  /// On which outputs touch screens and pens lie, where that is not told otherwise. The first that fits counts.
  package var touchMap: [TouchAssignment] = []
  /// Whether to switch off the desktop's own rotation.
  package var takesOver = false
  /// Whether keyboard, touchpad and pointing stick are disabled in tablet posture.
  package var disablesInput = false
  /// The names of these devices; `auto` stands for those that are built in.
  package var disabledDevices = ["auto"]
  /// The command that runs in tablet posture, with its arguments; empty for none.
  package var onScreenKeyboard: [String] = []
  /// Whether the programs in will-rotate.d, did-rotate.d and posture.d run.
  package var runsHooks = true
  /// Whether errors that the person has to fix are shown as notifications, not only written to the log.
  package var notifiesOfErrors = true

  package init() {}

  package static let sensorRates = 4.0...100.0
}
