// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import DesktopBackends
import Language

/// Asks the daemon which rule applies, what is allowed, and what would be shown.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Tell which rule an application has, what it allows, and what would be shown."),
    discussion: localized(
      """
      Without a name it is the application in focus. A name is what a rule matches: either part of \
      WM_CLASS, or the Wayland app_id.
      """))

  @Argument(help: .said("The application's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  @Flag(help: .said("As if the application were fullscreen."))
  var fullscreen = false

  @Flag(help: .said("Of the next window that you click, touch or choose within 10 seconds."))
  var pick = false

  func validate() throws {
    guard !pick || application == nil else { throw misuse("Give the name of an application or --pick.") }
    guard application != nil || !fullscreen else {
      throw misuse("--fullscreen goes with the name of an application.")
    }
  }

  mutating func run() throws {
    let (application, fullscreen, pick) = (application, fullscreen, pick)
    try MainActor.assumeIsolated {
      let picked = pick ? try NextFocus.wait() : nil
      let name = picked?.names.first ?? application ?? ""
      let explained = try ControlClient().explain(name, fullscreen: picked?.isFullscreen ?? fullscreen)
      Console.say(explained)
      if let application { MissingApplication.report(application) }
    }
  }
}
