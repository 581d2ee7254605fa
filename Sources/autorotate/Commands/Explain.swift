// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// Prints which rule applies, which orientations are allowed, and which one is chosen.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Show which orientations an app allows, and why."),
    discussion: localized(
      """
      Without a name, the focused app is explained. A name is what a rule matches: either part of \
      WM_CLASS, or the Wayland app_id.
      """))

  @Argument(help: .localized("The app's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  @Flag(help: .localized("As if the app were fullscreen."))
  var fullscreen = false

  func validate() throws {
    guard application != nil || !fullscreen else {
      throw misuse("--fullscreen requires the name of an app.")
    }
  }

  mutating func run() throws {
    try MainActor.assumeIsolated {
      if let application { MissingApplication.report(application) }
      do throws(Message) {
        Console.print(try ControlClient().explain(application ?? "", fullscreen: fullscreen))
      } catch {
        if error.code == .notRunning { printWithoutDaemon() }
        throw error
      }
    }
  }

  @MainActor
  private func printWithoutDaemon() {
    let explanation = DecisionSimulation.explanation(of: application, isFullscreen: fullscreen)
    Console.print(application == nil ? explanation.textWithoutFocus : explanation.text)
  }
}
