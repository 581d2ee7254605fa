// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import SensorSources

/// The checks of `autorotate doctor`, and the facts that several of them need, each read once. A check is a property
/// that returns its findings; it reads itself what no other check needs.
struct Examination {
  var configuration = Configuration()
  /// The failure is why there is none.
  var accelerometer: Result<AccelerometerInspection, Message>
  /// `nil` where there is nothing to read.
  var reading: SensorReading?
  var proxy = SensorProxyState.absent(isInstalled: false)
  /// With their present readings.
  var postureDevices: [PostureInspection] = []
  /// The detected desktop.
  var choice: Result<BackendChoice, Message>
  var display: Result<DisplayInspection, Message>
  /// The status of a running daemon, or why there is none.
  var daemon = Result<StatusReport, Message>.failure(.notRunning)
  var start = SessionStart()

  /// In the order of the chain from the accelerometer to the screen.
  @MainActor
  var findings: [Finding] { sensorFindings + postures + displayFindings + programFindings }

  var status: StatusReport? { try? daemon.get() }
}

extension Examination {
  @MainActor
  static func gather() throws -> Self {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    let (settings, machine) = (configuration.settings, configuration.machine)
    let accelerometer = Result { () throws(Message) in
      try AccelerometerInspection.inspect(machine.accelerometer)
    }
    let choice = Result { () throws(Message) in try SessionDescription.current().choice() }
    let displaySettings = configuration.displaySettings(output: settings.output)
    return Self(
      configuration: configuration,
      accelerometer: accelerometer.mapError { $0.code == .sensorNone ? .missing(machine.sensorSource) : $0 },
      reading: (try? accelerometer.get()) == nil ? nil : try SensorReading(machine.accelerometer),
      proxy: SensorProxyState.current(),
      postureDevices: PostureInspection.inspect(settings.tabletSwitch, keyboard: settings.keyboard),
      choice: choice,
      display: choice.flatMap { choice in
        Result { () throws(Message) in try choice.kind.inspect(displaySettings) }
      },
      daemon: Result { () throws(Message) in try ControlClient().status() }, start: SessionStart.gather())
  }
}
