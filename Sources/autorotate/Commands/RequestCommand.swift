// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language
import System

/// Runs a program under a request, as systemd-inhibit runs one under a lock.
struct RequestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: localized("Limit the orientations while a program runs."),
    usage:
      "autorotate request <mask> ... [--why <text>] [--app <name>] [--while-focused <app>]"
      + " -- <command> [<argument> ...]",
    discussion: localized(
      """
      While the command runs, only the orientations of the mask are shown, unless that would leave nothing \
      of what you allow. Without a running autorotate the command runs all the same.

      Masks: \(OrientationWord.allCases.map(\.rawValue).joined(separator: ", ")).

      Exit status: that of the command; 128 and the signal's number if a signal ended it; 127 if it was not \
      found, 126 if it could not be started.
      """))

  @Argument(help: .said("What may be shown; up to four of them."), completion: .masks)
  var mask: String

  // There are four orientations to name at most, and the one list that a command can have is its command.
  @Argument(help: .hidden, completion: .masks) var second: String?
  @Argument(help: .hidden, completion: .masks) var third: String?
  @Argument(help: .hidden, completion: .masks) var fourth: String?

  @Option(help: .said("What the program is for, as --status tells it.", valueName: "text"))
  var why = ""

  @Option(
    help: .said(
      "The program's name, as --status tells it, if not that of the command.", valueName: "name"))
  var app: String?

  @Option(
    name: .customLong("while-focused"),
    help: .said(
      "Only while a window of this application has focus; * and ? stand for any text and character.",
      valueName: "app"))
  var window: String?

  @Argument(
    parsing: .postTerminator, help: .said("The program, and what it is given.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    do {
      _ = try OrientationWords.mask(masks)
    } catch {
      throw misuse("\(error). The command comes after --: \(Self.example)")
    }
    guard window != "" else {
      throw misuse("--while-focused takes an application's name, as --status tells it.")
    }
    guard let program = command.first, !program.isEmpty else {
      throw misuse("Give the command after --: \(Self.example)")
    }
  }

  private static let example = "autorotate request landscape -- mpv film.mkv"

  private var masks: [String] { [mask, second, third, fourth].compactMap(\.self) }

  mutating func run() throws {
    let status = try MainActor.assumeIsolated { try RequestedRun.run(command, wish) }
    throw ExitCode(status)
  }

  var wish: RequestedRun.Wish {
    let name = command.first?.split(separator: "/").last.map(String.init)
    return .init(mask: masks, application: app ?? name ?? "", why: why, window: window)
  }
}
