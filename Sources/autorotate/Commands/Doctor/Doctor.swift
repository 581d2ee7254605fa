// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language

/// Looks at each link of the chain from the accelerometer to the picture.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Tell what works here and what does not, and the next step."),
    discussion: localized(
      """
      One line for each link of the chain from the accelerometer to the picture: ✓ works, ✗ does not, \
      – is not there and not needed. It changes nothing, whether autorotate is running or not. \
      Exit status 0 if everything that is needed works, 1 if not.
      """))

  @ParentCommand var whole: Autorotate

  @Flag(help: .said("One JSON object instead."))
  var json = false

  mutating func run() throws {
    let isForPrograms = json || whole.json
    if isForPrograms { Catalogue.speakEnglish() }
    let report = try MainActor.assumeIsolated { try Self.examine() }
    if isForPrograms {
      Console.say(report.json)
    } else {
      report.lines(TerminalStyle(of: STDOUT_FILENO)).forEach(Console.say)
    }
    if !report.isHealthy { throw ExitStatus.failed }
  }

  @MainActor
  private static func examine() throws -> FindingReport {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    var sensor = try SensorFacts.gather(configuration)
    var display = DisplayFacts.gather(configuration)
    let program = ProgramFacts.gather(configuration)
    if case .running(let report) = program.daemon {
      sensor.isInUse = ["active", "asleep"].contains(report.sensorState)
      sensor.posture.heard = report.postureEvidence
      display.isDesktopIdle = report.reasonCodes.contains(Message.Code.desktopIdle.rawValue)
      display.daemonOutputs = report.outputs
    }
    return FindingReport(findings: sensor.findings + display.findings + program.findings)
  }
}
