// SPDX-License-Identifier: MIT

import Autorotation

/// One value of config.toml.
enum Setting: Equatable, Sendable {
  case supported([OrientationWord])
  case rotateIn(Settings.RotateIn)
  case laptopOrientation(InterfaceOrientation)
  case sensorSource(MachineSettings.SensorSource)
  case mountMatrix(MountMatrix?)
  case sensorRate(Double?)
  case output(String?)
  case panelMount(PanelMount?)
  case takesOver(Bool)
  case touchDevices([String]?)
  case ignoredTouchDevices([String])
  case disablesInput(Bool)
  case disabledDevices([String])
  case onScreenKeyboard([String])
  case lockOverApps(Bool)
  case runsHooks(Bool)
  case suggestsRotation(Bool)
  case notifiesOfErrors(Bool)

  func apply(to settings: inout Settings, _ machine: inout MachineSettings) {
    switch self {
    case .supported(let words): settings.supported = words
    case .rotateIn(let posture): settings.rotateIn = posture
    case .laptopOrientation(let orientation): settings.laptopOrientation = orientation
    case .output(let name): settings.output = name
    case .panelMount(let mount): settings.panelMount = mount
    case .lockOverApps(let wins): settings.lockOverApps = wins
    case .suggestsRotation(let suggests): settings.suggestsWhileLocked = suggests
    case .sensorSource(let source): machine.sensorSource = source
    case .mountMatrix(let matrix): machine.mountMatrix = matrix
    case .sensorRate(let rate): machine.sensorRate = rate
    case .takesOver(let takesOver): machine.takesOver = takesOver
    case .touchDevices(let devices): machine.touchDevices = devices
    case .ignoredTouchDevices(let devices): machine.ignoredTouchDevices = devices
    case .disablesInput(let disables): machine.disablesInput = disables
    case .disabledDevices(let devices): machine.disabledDevices = devices
    case .onScreenKeyboard(let command): machine.onScreenKeyboard = command
    case .runsHooks(let runs): machine.runsHooks = runs
    case .notifiesOfErrors(let notifies): machine.notifiesOfErrors = notifies
    }
  }

  /// Whether it says anything that would not hold without it.
  var isDefault: Bool {
    var settings = Settings()
    var machine = MachineSettings()
    apply(to: &settings, &machine)
    return settings == Settings() && machine == MachineSettings()
  }
}

/// A setting and where it is written.
struct Assignment: Equatable, Sendable {
  let section: String
  let key: String
  let setting: Setting
  let place: SourcePlace

  var name: String { "[\(section)] \(key)" }
}
