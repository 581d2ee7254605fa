// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: localized("Show the screen orientation, the lock and the reasons."))

  @Flag(name: .long, help: .localized("Print the status as one JSON object per line."))
  var json = false

  @Option(
    name: .long, help: .localized("Print the status as one line for a status bar.", valueName: "bar"))
  var format: BarFormat?

  @Flag(name: .long, help: .localized("Print the status again at each change, until stopped."))
  var follow = false

  func validate() throws {
    guard !json || format == nil else { throw misuse("--json and --format cannot be combined.") }
  }

  mutating func run() throws {
    throw try MainActor.assumeIsolated { try follow ? FollowCommand.run(as: form) : printStatus() }
  }

  private var form: StatusForm { format.map(StatusForm.bar) ?? (json ? .json : .text) }

  @MainActor
  private func printStatus() throws -> ExitStatus {
    do throws(Message) {
      Console.print(form.whole(try ControlClient().status()))
      return .done
    } catch {
      // A bar that polls the status shows this, too.
      guard error.code == .notRunning, format != nil else { throw error }
      Console.print(form.line(nil))
      return .notRunning
    }
  }
}
