// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// Asks the daemon which applications have windows, what rules call them, and what counts for each.
struct WindowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "windows",
    abstract: localized("List the open apps, their names and rules."),
    discussion: localized(
      """
      The one in front comes first. Where the desktop does not list its windows, they are those that had focus \
      lately.
      """))

  @Flag(help: .said("One JSON object instead."))
  var json = false

  mutating func run() throws {
    let (windows, isComplete) = try MainActor.assumeIsolated { try ControlClient().windows() }
    if json {
      return Console.say("\(JSON.object([("complete", .bool(isComplete)), ("windows", windows.json)]))")
    }
    windows.flatMap(\.lines).forEach(Console.say)
    if windows.isEmpty { Console.say(localized("No window is known.")) }
    guard !isComplete else { return }
    Console.complain(localized("this desktop does not list its windows: these had focus lately"))
  }
}
