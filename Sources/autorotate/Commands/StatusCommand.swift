// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: localized("Show the screen orientation, the lock and the reasons."))

  @Flag(name: .long, help: .said("Tell the status as one JSON object a line."))
  var json = false

  @Option(
    name: .long, help: .said("Tell the status in one line, as status bars read it.", valueName: "bar"))
  var format: BarFormat?

  @Flag(name: .long, help: .said("Tell the status again at each change, until stopped."))
  var follow = false

  func validate() throws {
    guard !json || format == nil else { throw misuse("Give one of --json, --format.") }
  }

  mutating func run() throws {
    let (form, isBar, follow) = (form, format != nil, follow)
    let status = try MainActor.assumeIsolated {
      try follow ? FollowCommand.run(as: form) : Self.print(form, isBar: isBar)
    }
    guard status == .done else { throw status }
  }

  private var form: StatusForm { format.map(StatusForm.bar) ?? (json ? .json : .people) }

  @MainActor
  private static func print(_ form: StatusForm, isBar: Bool) throws -> ExitStatus {
    do throws(Message) {
      Console.say(form.whole(try ControlClient().status()))
      return .done
    } catch {
      // A bar that asks from time to time shows that, too.
      guard error.code == .notRunning, isBar else { throw error }
      Console.say(form.line(nil))
      return .notRunning
    }
  }
}
