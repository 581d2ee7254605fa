// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

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
    let waits = try endings(of: loop, output)
    var last = ""
    let follower = try StatusFollower(bus: bus) { report in
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
    let code = try withExtendedLifetime((waits, follower)) { try loop.run() }
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

  /// The events that end the command: two signals, and the end of the reader of our pipe.
  static func endings(of loop: EventLoop, _ output: Int32) throws -> [EventSource] {
    // Exit at once, since a full pipe blocks the loop.
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in _exit(ExitStatus.done.rawValue) }
    }
    guard isWritingEnd(output) else { return [] }
    // The writing end of a pipe has nothing to read; its only event is a hang-up.
    return [try loop.watch(output) { loop.exit(ExitStatus.done.rawValue) }]
  }

  private static func isWritingEnd(_ output: Int32) -> Bool {
    var kind = stat()
    guard fstat(output, &kind) == 0, kind.st_mode & S_IFMT == S_IFIFO else { return false }
    return fcntl(output, F_GETFL) & O_ACCMODE == O_WRONLY
  }
}
