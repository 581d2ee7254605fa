// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language

@main
enum Program {
  static func main() {
    // Whoever reads along may go away, and writing to where nobody reads is no reason to end: a daemon leaves things
    // as they ought to be, and commands end by themselves.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try Autorotate.parseAsRoot()
      try command.run()
    } catch let status as ExitStatus {
      exit(status.rawValue)
    } catch let code as ExitCode {
      exit(code.rawValue)
    } catch let failure as Failure {
      Console.complain(failure.description)
      exit(failure.status.rawValue)
    } catch {
      leave(with: error)
    }
  }

  /// Help and version are no errors; what is left is a misunderstood command line, or a surprise.
  private static func leave(with error: any Error) -> Never {
    switch Autorotate.exitCode(for: error) {
    case .success:
      Console.say(HelpText.message(for: error))
      exit(ExitStatus.done.rawValue)
    case .validationFailure:
      if let word = wordAfterLock {
        let orientations = LockTarget.allValueStrings.joined(separator: ", ")
        Console.complain(localized("'\(word)' is not an orientation; lock to \(orientations)."))
      } else {
        Console.write(HelpText.message(for: error) + "\n", to: STDERR_FILENO)
      }
      exit(ExitStatus.usage.rawValue)
    default:
      Console.complain("\(error)")
      exit(ExitStatus.failed.rawValue)
    }
  }

  /// What stands after `--lock` and is no orientation: to the parser it is but one argument too many.
  private static var wordAfterLock: String? {
    let arguments = CommandLine.arguments
    guard let next = arguments.firstIndex(of: "--lock").map({ $0 + 1 }), next < arguments.count,
      !arguments[next].hasPrefix("-"), LockTarget(argument: arguments[next]) == nil
    else { return nil }
    return arguments[next]
  }
}
