// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language

/// Reads all settings, and tells what is wrong with them and what applies.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Tell what is wrong with the settings, and what applies."),
    discussion: localized(
      """
      Reads config.toml and apps/*.toml of you, the administrator and the installed programs. What is wrong \
      goes to standard error, as file:line:column; what applies goes to standard output. Exit status 2 if \
      there is an error.
      """))

  @Flag(name: .shortAndLong, help: .said("Only tell what is wrong."))
  var quiet = false

  mutating func run() throws {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    try show(configuration)
  }

  private func show(_ configuration: Configuration) throws {
    for diagnostic in configuration.diagnostics where !quiet || diagnostic.severity != .note {
      Console.write("\(diagnostic)\n\n", to: STDERR_FILENO)
    }
    if !quiet { configuration.overview.forEach(Console.say) }
    if configuration.hasErrors { throw ExitStatus.usage }
  }
}
