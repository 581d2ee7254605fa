// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc

/// How the process ends, as scripts see it. Documented in autorotate(1).
enum ExitStatus: Int32, Error {
  case done = 0
  case failed = 1
  /// A wrong option, or an error in the settings.
  case usage = 2
  case noDaemon = 3
  /// No sensor, or no display that turns.
  case notPossibleHere = 4
}

/// An end with a last sentence for the person, which names the next step.
struct Failure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

@main
enum Program {
  static func main() {
    do {
      var command = try Autorotate.parseAsRoot()
      try command.run()
    } catch let status as ExitStatus {
      exit(status.rawValue)
    } catch let failure as Failure {
      Console.complain(failure.message)
      exit(failure.status.rawValue)
    } catch {
      leave(with: error)
    }
  }

  /// Help and version are no errors; what is left is a misunderstood command line, or a surprise.
  private static func leave(with error: any Error) -> Never {
    switch Autorotate.exitCode(for: error) {
    case .success:
      Console.say(Autorotate.fullMessage(for: error))
      exit(ExitStatus.done.rawValue)
    case .validationFailure:
      Console.write(Autorotate.fullMessage(for: error) + "\n", to: STDERR_FILENO)
      exit(ExitStatus.usage.rawValue)
    default:
      Console.complain("\(error)")
      exit(ExitStatus.failed.rawValue)
    }
  }
}
