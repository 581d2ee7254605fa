// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language

/// Checks each part of the chain from the accelerometer to the screen.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Check everything, from the sensor to the touchscreen."),
    discussion: localized(
      """
      One line for each part of the chain from the accelerometer to the screen: ✓ works, ✗ does not work, \
      – is not present and not needed. Nothing is changed. autorotate need not be running. \
      Exit status 0 if everything that is needed works, 1 if not.
      """))

  @Flag(help: .localized("Print one JSON object."))
  var json = false

  @Flag(help: .localized("With --json: print messages in your language instead of English."))
  var local = false

  mutating func run() throws {
    if json, !local { Catalogue.useEnglish() }
    let findings = try MainActor.assumeIsolated { try Examination.gather().findings }
    if json {
      Console.print(findings.json)
    } else {
      findings.lines(TerminalStyle(of: STDOUT_FILENO)).forEach(Console.print)
    }
    if !findings.isHealthy { throw ExitStatus.failed }
  }
}
