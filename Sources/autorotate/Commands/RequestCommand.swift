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
      While the command runs, only the orientations of the mask are used, unless your settings allow none \
      of them. The command also runs if autorotate is not running.

      Masks: \(OrientationName.allCases.map(\.rawValue).joined(separator: ", ")).

      Exit status: that of the command; 128 and the signal's number if a signal ended it; 127 if it was not \
      found, 126 if it could not be started.
      """))

  @Argument(help: .localized("The allowed orientations, up to four."), completion: .masks)
  var mask: String

  // At most four orientations: a command can have only one list, and here that is the command to run.
  @Argument(help: .hidden, completion: .masks) var second: String?
  @Argument(help: .hidden, completion: .masks) var third: String?
  @Argument(help: .hidden, completion: .masks) var fourth: String?

  @Option(help: .localized("The reason for the request, shown by `autorotate status`.", valueName: "text"))
  var why = ""

  @Option(
    help: .localized(
      "The program's name, shown by `autorotate status`; by default that of the command.", valueName: "name"))
  var app: String?

  @Option(
    name: .customLong("while-focused"),
    help: .localized(
      "Only while a window of this app has focus; * and ? match any text and any character.",
      valueName: "app"))
  var window: String?

  @Argument(
    parsing: .postTerminator, help: .localized("The program and its arguments.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    do {
      _ = try OrientationParser.mask(masks)
    } catch {
      throw misuse("\(error). The command comes after --: \(Self.example)")
    }
    guard window != "" else {
      throw misuse("--while-focused requires an app's name, as listed by `autorotate windows`.")
    }
    guard let program = command.first, !program.isEmpty else {
      throw misuse("Give the command after --: \(Self.example)")
    }
  }

  private static let example = "autorotate request landscape -- mpv film.mkv"

  private var masks: [String] { [mask, second, third, fourth].compactMap(\.self) }

  mutating func run() throws {
    let status = try MainActor.assumeIsolated { try RequestedRun.run(command, options) }
    throw ExitCode(status)
  }

  var options: RequestedRun.Options {
    let name = command.first?.split(separator: "/").last.map(String.init)
    return .init(mask: masks, application: app ?? name ?? "", why: why, window: window)
  }
}
