// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language

@main
enum Program {
  static func main() {
    // The reader of our output may go away. That must not end us: the daemon has things to restore, and commands end
    // by themselves.
    signal(SIGPIPE, SIG_IGN)
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      if let options = DaemonOptions(plainWords: words) { throw try run(options) }
      var command = try Autorotate.parseAsRoot(words)
      try MisplacedOptions.check(command, words)
      try command.run()
    } catch let status as ExitStatus {
      exit(status.rawValue)
    } catch let code as ExitCode {
      exit(code.rawValue)
    } catch let failure as Message {
      Console.complain(failure)
      exit(failure.status.rawValue)
    } catch {
      leave(with: error)
    }
  }

  private static func run(_ options: DaemonOptions) throws -> ExitStatus {
    try MainActor.assumeIsolated { try Daemon.run(options) }
  }

  /// Help and version are not errors; the rest are usage errors and unexpected ones.
  private static func leave(with error: any Error) -> Never {
    switch Autorotate.exitCode(for: error) {
    case .success:
      Console.say(HelpText.message(for: error))
      exit(ExitStatus.done.rawValue)
    case .validationFailure:
      if let word = wordAfterLock {
        Console.complain(localized(unknown(word)))
      } else {
        Console.write(HelpText.message(for: error) + "\n", to: STDERR_FILENO)
      }
      exit(ExitStatus.usage.rawValue)
    default:
      Console.complain("\(error)")
      exit(ExitStatus.failed.rawValue)
    }
  }

  private static func unknown(_ word: String) -> Phrase {
    let words = LockTarget.allValueStrings
    if let meant = MeantWord.among(words, by: word) {
      return "'\(word)' is not an orientation. Did you mean '\(meant)'?"
    }
    return "'\(word)' is not an orientation; lock to \(words.joined(separator: ", "))."
  }

  /// The word after `--lock`, if it is not an orientation. The parser only sees an extra argument.
  private static var wordAfterLock: String? {
    let arguments = CommandLine.arguments
    guard let next = arguments.firstIndex(of: "--lock").map({ $0 + 1 }), next < arguments.count,
      !arguments[next].hasPrefix("-"), LockTarget(argument: arguments[next]) == nil
    else { return nil }
    return arguments[next]
  }
}
