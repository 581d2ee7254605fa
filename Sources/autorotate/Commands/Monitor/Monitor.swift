// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language

/// A live view of the sensor, the judge and the decision.
struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Watch gravity, the judge and the decision, live."),
    discussion: localized(
      """
      The arrow in the panel's outline is gravity: it points to the floor when the picture stands upright for \
      you. Below it is what the running autorotate shows, and why. It reads the sensor by itself, as --sensor \
      or the settings say. q ends it. Into a pipe, or on a terminal without a cursor, it writes a line at each \
      change instead.
      """))

  @ParentCommand var whole: Autorotate

  mutating func run() throws {
    let sensor = whole.daemon.sensor
    try MainActor.assumeIsolated {
      let machine = Configuration.read(from: ConfigurationDirectories()).machine
      let choice = SensorChoice(
        source: sensor ?? machine.sensorSource, mountMatrix: machine.mountMatrix, rate: Self.rate,
        usesGyroscope: machine.usesGyroscope)
      try MonitorRun.run(choice)
    }
  }

  /// Samples a second: as fast as an eye follows figures.
  private static let rate = 20.0
}
