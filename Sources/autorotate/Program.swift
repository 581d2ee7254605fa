// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import System

@main
enum Program {
  static func main() {
    prepareProcess()
    let words = withoutRemovedOptions(EarlierOptions.rewritten(Array(CommandLine.arguments.dropFirst())))
    if let mistake = ParserMessages.unknownCommand(after: words) {
      Console.log(mistake)
      exit(ExitStatus.usage.rawValue)
    }
    do {
      if let options = DaemonOptions(plainWords: words) {
        throw try MainActor.assumeIsolated { try Daemon.run(options) }
      }
      var command = try Autorotate.parseAsRoot(words)
      try command.run()
      end(.done)
    } catch let status as ExitStatus {
      end(lasting(status))
    } catch let code as ExitCode {
      exit(code.rawValue)
    } catch let failure as Message {
      Console.log(failure)
      exit(lasting(failure.status).rawValue)
    } catch {
      leave(with: error, after: words)
    }
  }

  /// Independent of how this process was started.
  private static func prepareProcess() {
    // The reader of our output may go away, or a file be limited (`ulimit -f`). That must not end the process: the
    // daemon has things to restore, and commands exit anyway.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // If the starter ignores it, the kernel discards how children end.
    signal(SIGCHLD, SIG_DFL)
    // A closed standard descriptor would be that of the next file or socket, into which messages would then go.
    while case let descriptor = open("/dev/null", O_RDWR), descriptor >= 0 {
      guard descriptor > STDERR_FILENO else { continue }
      close(descriptor)
      break
    }
  }

  private static func end(_ status: ExitStatus) -> Never {
    guard status == .done, let code = Console.outputFailure else { exit(status.rawValue) }
    Console.log(localized("Standard output cannot be written: \(String(cString: strerror(code)))"))
    exit(ExitStatus.failed.rawValue)
  }

  /// Warns of options that only the previous release had, and removes them.
  private static func withoutRemovedOptions(_ words: [String]) -> [String] {
    guard let command = words.first(where: { !$0.hasPrefix("-") }) else { return words }
    var (kept, rest) = ([String](), words[...])
    while let word = rest.popFirst() {
      if let removed = RemovedName(option: String(word.prefix { $0 != "=" }), of: command) {
        Console.log(removed.warning)
        if removed.hasValue, !word.contains("=") { _ = rest.popFirst() }
      } else {
        kept.append(word)
      }
    }
    return kept
  }

  /// If resources are scarce, devices may exist that could not be opened. systemd does not restart after `notPossible`.
  private static func lasting(_ status: ExitStatus) -> ExitStatus {
    status == .notPossible && Resources.areScarce ? .failed : status
  }

  /// Help and version are not errors; the rest are usage errors and unexpected ones.
  private static func leave(with error: any Error, after words: [String]) -> Never {
    switch Autorotate.exitCode(for: error) {
    case .success:
      Console.print(ParserMessages.answer(error))
      end(.done)
    case .validationFailure:
      Console.log(ParserMessages.usageError(error, after: words))
      exit(ExitStatus.usage.rawValue)
    default:
      Console.log("\(error)")
      exit(ExitStatus.failed.rawValue)
    }
  }
}

/// The options that earlier releases had instead of sub-commands.
enum EarlierOptions {
  static let subcommands = [
    "--lock": "lock", "--unlock": "unlock", "--toggle-lock": "toggle", "--rotate": "rotate", "--hold": "hold",
    "--release": "release", "--posture": "posture", "--quit": "quit", "--status": "status",
  ]

  /// `--lock left` becomes `lock left`, and `--output DP-1 --rotate=left` becomes `rotate --output DP-1 left`. Options
  /// before a command are the command's: `--sensor proxy monitor` becomes `monitor --sensor proxy`.
  /// - Parameter words: the command line without the program's name.
  static func rewritten(_ words: [String]) -> [String] {
    let own = words.prefix { $0 != "--" }
    // Three dashes: a shell asks for the completion of a command.
    guard let first = own.first, first.hasPrefix("-"), !first.hasPrefix("---"),
      let index = own.firstIndex(where: { subcommands[Self.parts($0)[0]] != nil })
        ?? own.firstIndex(where: isCommand)
    else { return words }
    let parts = Self.parts(words[index])
    let subcommand = subcommands[parts[0]] ?? parts[0]
    return [subcommand] + words[..<index] + parts.dropFirst() + words[(index + 1)...]
  }

  /// A daemon that has only options does not load the commands.
  private static func isCommand(_ word: String) -> Bool {
    !word.hasPrefix("-") && Autorotate.configuration.subcommands.contains { $0.isCalled(word) }
  }

  /// An option and the value behind its `=`.
  private static func parts(_ word: String) -> [String] {
    word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }
}
