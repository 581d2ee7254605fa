// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// Everything that `autorotate doctor` checks.
struct Examination {
  var configuration: Configuration
  var sensor: SensorFacts
  var display: DisplayFacts
  var program: ProgramFacts

  var report: FindingReport {
    FindingReport(findings: sensor.findings + display.findings + program.findings)
  }

  @MainActor
  static func gather() throws -> Self {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    var sensor = try SensorFacts.gather(configuration)
    var display = DisplayFacts.gather(configuration)
    let program = ProgramFacts.gather(configuration)
    if case .running(let report) = program.daemon {
      sensor.isInUse = ["active", "asleep"].contains(report.sensorState)
      sensor.posture.daemonReports = report.postureEvidence
      display.isDesktopNotRotating = report.reasonCodes.contains(Message.Code.desktopNotRotating.rawValue)
      display.daemonOutputs = report.outputs
    }
    return Self(configuration: configuration, sensor: sensor, display: display, program: program)
  }
}
