// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// Asks the daemon which rule applies, what is allowed, and what would be shown.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Show which orientations an app allows, and why."),
    discussion: localized(
      """
      Without a name it is the application in focus. A name is what a rule matches: either part of \
      WM_CLASS, or the Wayland app_id.
      """))

  @Argument(help: .said("The application's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  @Flag(help: .said("As if the application were fullscreen."))
  var fullscreen = false

  func validate() throws {
    guard application != nil || !fullscreen else {
      throw misuse("--fullscreen goes with the name of an application.")
    }
  }

  mutating func run() throws {
    let (application, fullscreen) = (application, fullscreen)
    try MainActor.assumeIsolated {
      Console.say(try ControlClient().explain(application ?? "", fullscreen: fullscreen))
      if let application { MissingApplication.report(application) }
    }
  }
}
