// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language
import System

/// What only the daemon knows all names of.
enum Choice: String, CaseIterable {
  case outputs, applications

  /// - Parameter word: of a caller on the bus.
  init(said word: String) throws(BusError) {
    guard let choice = Self(rawValue: word) else {
      let words = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw BusError(
        BusError.invalidArguments, localized("there is no choice of \(word.printable()): say one of \(words)")
      )
    }
    self = choice
  }

  /// None without a daemon, and none of a name that a shell would not take as one line.
  var names: [String] {
    let names = MainActor.assumeIsolated { try? ControlClient().choices(self) } ?? []
    return names.filter { $0 == $0.printable() && !$0.isEmpty }
  }
}

/// What shells complete, where the words that an option takes do not tell.
extension CompletionKind {
  static var outputs: Self { .custom { _, _, _ in Choice.outputs.names } }
  static var applications: Self { .custom { _, _, _ in Choice.applications.names } }

  /// Those that are seen, and those that there are rules for.
  static var applicationsAndRules: Self {
    .custom { _, _, _ in
      let rules = Configuration.read(from: ConfigurationDirectories()).settings.rules.flatMap(\.matches)
      let seen = Choice.applications.names
      return seen + Set(rules.filter { !$0.contains("*") && !$0.contains("?") }).subtracting(seen).sorted()
    }
  }

  static var masks: Self { .list(OrientationWord.allCases.map(\.rawValue)) }
  static var times: Self { .list(["10m", "30m", "1h", "2h"]) }
}
