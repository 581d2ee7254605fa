// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import System

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: localized("Show the screen orientation, the lock and the reasons."))

  @Flag(name: .long, help: .localized("Print the status as one JSON object per line."))
  var json = false

  @Option(name: .long, help: .localized("Print the status as one line for a status bar.", valueName: "bar"))
  var format: StatusForm?

  @Flag(name: .long, help: .localized("Print the status again at each change, until stopped."))
  var follow = false

  func validate() throws {
    guard !json || format == nil else { throw misuse("--json and --format cannot be combined.") }
  }

  mutating func run() throws {
    throw try MainActor.assumeIsolated { try follow ? FollowCommand.run(as: form) : printStatus() }
  }

  private var form: StatusForm { format ?? (json ? .json : .text) }

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

/// `autorotate status --follow`: prints a line at each change, until it is interrupted or the reader
/// goes away.
@MainActor enum FollowCommand {
  /// - Parameters:
  ///   - form: of the line; a line is also printed while no daemon runs.
  ///   - output: the descriptor to print to.
  static func run(as form: StatusForm, bus kind: Bus.Kind = .session, to output: Int32 = STDOUT_FILENO)
    throws -> ExitStatus
  {
    let loop = try EventLoop()
    let bus = try connect(kind, loop)
    let hangUp = endings(of: loop, output)
    var last = ""
    let follower = try StatusReport.follow(on: bus) { report in
      let line = form.line(report)
      // A short line does not show every change.
      defer { last = line }
      if line != last, !Console.write(line + "\n", to: output) { loop.exit(ExitStatus.done.rawValue) }
    }
    bus.onSilent = {
      Console.log(ControlClient.failure(kind.silence))
      _ = Console.write(form.line(nil) + "\n", to: output)
    }
    bus.onClosed = { loop.exit(ExitStatus.failed.rawValue) }
    let code = try withExtendedLifetime((hangUp, follower)) { try loop.run() }
    guard code == ExitStatus.done.rawValue else {
      throw Message(.commandFailed, "The session bus has ended, so the status cannot be followed.")
    }
    return .done
  }

  static func connect(_ kind: Bus.Kind, _ loop: EventLoop) throws(Message) -> Bus {
    do {
      let bus = try Bus(kind)
      try bus.attach(to: loop)
      return bus
    } catch {
      throw ControlClient.failure(error)
    }
  }

  /// The events that end the command: two signals, and the end of the terminal or of the reader of our pipe.
  ///
  /// SIGHUP is not enough for a terminal, since a program may have been started with it ignored.
  static func endings(of loop: EventLoop, _ output: Int32 = STDOUT_FILENO) -> EventSource? {
    // Exit at once, since a full pipe blocks the loop.
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in _exit(ExitStatus.done.rawValue) }
    }
    return try? loop.watch(output, forHangUpOnly: true) { loop.exit(ExitStatus.done.rawValue) }
  }
}
