// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Check the settings and rules for errors."),
    discussion: localized(
      """
      Reads config.toml and apps/*.toml: yours, system-wide ones, and those of installed programs. Problems go to \
      standard error, as file:line:column; their number goes to standard output. Exit status 2 if there is an error. \
      `autorotate config list` and `autorotate rule list` show what applies.
      """))

  @Flag(name: .shortAndLong, help: .localized("Print only errors and warnings."))
  var quiet = false

  mutating func run() throws {
    let status = MainActor.assumeIsolated { ControlClient.statusIfAnswered() }
    let configuration = Configuration.read(from: ConfigurationDirectories(), on: status?.panelAspect)
    let notes = MainActor.assumeIsolated { OpenApplications.notes(on: configuration.ruleFiles, status) }
    for diagnostic in configuration.diagnostics + notes where !quiet || diagnostic.severity != .note {
      Console.write("\("\(diagnostic)".printableLines)\n\n", to: STDERR_FILENO)
    }
    if !quiet { Console.print(Self.summary(configuration.diagnostics)) }
    if configuration.hasErrors { throw ExitStatus.usage }
  }

  /// "2 errors, 1 warning"
  static func summary(_ diagnostics: [Diagnostic]) -> String {
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count { $0.severity == .warning }
    let errorCount: Phrase = errors == 1 ? "1 error" : "\(errors) errors"
    let warningCount: Phrase = warnings == 1 ? "1 warning" : "\(warnings) warnings"
    let counts = (errors == 0 ? [] : [errorCount]) + (warnings == 0 ? [] : [warningCount])
    return counts.isEmpty
      ? localized("No problems found") : counts.map(localized).joined(separator: ", ")
  }
}
