// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language

/// Writes the accelerometer's samples to a trace.
struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Record the accelerometer to a trace file."),
    discussion: localized(
      """
      Recording ends with Ctrl-C, or after --seconds. Each sample is written at once, so a crash loses \
      nothing. The header names the machine's make and model, the sensor and its mount matrix, and \
      contains nothing about you.
      """))

  @Argument(
    help: .localized("The trace to write, or - for standard output.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: .localized("Stop after this many seconds.", valueName: "n"))
  var seconds: Double?

  @Option(help: .localized("Samples per second, 4 to 100, instead of the setting.", valueName: "hz"))
  var rate: Double?

  @Flag(help: .localized("Overwrite an existing file."))
  var force = false

  func validate() throws {
    guard seconds.map({ $0 > 0 && $0.isFinite }) ?? true else {
      throw misuse("--seconds requires a number above 0.")
    }
    guard rate.map(AccelerometerSettings.rates.contains) ?? true else {
      throw misuse("--rate requires a number from 4 to 100.")
    }
  }

  mutating func run() throws {
    let writer =
      try file == "-" ? TraceWriter(descriptor: STDOUT_FILENO) : TraceWriter(path: file, force: force)
    var settings = Configuration.read(from: ConfigurationDirectories()).machine.accelerometer
    settings.rate = rate ?? settings.rate
    let count = try MainActor.assumeIsolated { [settings, seconds] in
      try Recorder(to: writer, settings).run(seconds: seconds)
    }
    let samples: Phrase = count == 1 ? "1 sample" : "\(count) samples"
    if file == "-" {
      Console.log(localized("\(samples) recorded"))
    } else {
      Console.print(localized("\(samples) written to \(file)"))
    }
  }
}
