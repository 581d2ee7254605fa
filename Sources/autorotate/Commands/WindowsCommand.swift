// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// Lists the applications that have windows, their names, and the rules that apply.
struct WindowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "windows",
    abstract: localized("List the open apps, their names and rules."),
    discussion: localized(
      """
      The focused app comes first. If autorotate cannot list all windows of the desktop, recently focused apps are listed.
      """))

  @Flag(help: .localized("Print one JSON object."))
  var json = false

  mutating func run() throws {
    let (windows, isComplete) = try MainActor.assumeIsolated { try ControlClient().windows() }
    if json {
      return Console.print("\(JSON.object([("complete", .bool(isComplete)), ("windows", windows.json)]))")
    }
    windows.flatMap(\.lines).forEach(Console.print)
    if windows.isEmpty { Console.print(localized("No windows are known.")) }
    guard !isComplete else { return }
    Console.log(localized("only apps that had focus recently are listed"))
  }
}
