// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language

/// Writes what the accelerometer measures to a trace.
struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Record the accelerometer to a trace file."),
    discussion: localized(
      """
      It ends with Ctrl-C, or after --seconds. Each sample is written at once, so that what was recorded \
      stays, whatever happens. The header names the machine's make and model, the sensor and its mount \
      matrix, and nothing about you.
      """))

  @Argument(
    help: .said("The trace to write, or - for standard output.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: .said("End after so long.", valueName: "n"))
  var seconds: Double?

  @Option(help: .said("Samples a second, 4 to 100, in place of the settings'.", valueName: "hz"))
  var rate: Double?

  @Flag(help: .said("Write over a file that exists."))
  var force = false

  func validate() throws {
    guard seconds.map({ $0 > 0 && $0.isFinite }) ?? true else {
      throw misuse("--seconds takes a number above 0.")
    }
    guard rate.map(MachineSettings.sensorRates.contains) ?? true else {
      throw misuse("--rate takes a number from 4 to 100.")
    }
  }

  mutating func run() throws {
    let writer =
      try file == "-" ? TraceWriter(descriptor: STDOUT_FILENO) : TraceWriter(path: file, force: force)
    let machine = Configuration.read(from: ConfigurationDirectories()).machine
    let (rate, seconds) = (rate ?? machine.sensorRate, seconds)
    let count = try MainActor.assumeIsolated {
      let recorder = try Recorder(
        to: writer, mountMatrix: machine.mountMatrix, rate: rate, usesGyroscope: machine.usesGyroscope)
      return try recorder.run(seconds: seconds)
    }
    let samples: Phrase = count == 1 ? "1 sample" : "\(count) samples"
    if file == "-" {
      Console.complain(localized("\(samples) recorded"))
    } else {
      Console.say(localized("\(samples) written to \(file)"))
    }
  }
}
