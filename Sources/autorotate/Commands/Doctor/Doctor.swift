// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language

/// Looks at each link of the chain from the accelerometer to the picture.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Check everything, from the sensor to touch."),
    discussion: localized(
      """
      One line for each link of the chain from the accelerometer to the picture: ✓ works, ✗ does not, \
      – is not there and not needed. It changes nothing, whether autorotate is running or not. \
      Exit status 0 if everything that is needed works, 1 if not.
      """))

  @Flag(help: .said("One JSON object instead."))
  var json = false

  @Flag(help: .said("With --json: in your language, for a program that shows it to you."))
  var local = false

  mutating func run() throws {
    if json, !local { Catalogue.speakEnglish() }
    let report = try MainActor.assumeIsolated { try Examination.gather().report }
    if json {
      Console.say(report.json)
    } else {
      report.lines(TerminalStyle(of: STDOUT_FILENO)).forEach(Console.say)
    }
    if !report.isHealthy { throw ExitStatus.failed }
  }
}
