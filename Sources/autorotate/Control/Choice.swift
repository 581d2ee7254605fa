// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language
import System

/// The kinds of names that only the daemon knows.
enum Choice: String, CaseIterable {
  case outputs, applications
  /// The title of the focused window, while a rule depends on titles.
  case title

  /// - Parameter word: from a caller on the bus.
  init(word: String) throws(BusError) {
    guard let choice = Self(rawValue: word) else {
      let words = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw BusError(
        BusError.invalidArguments, localized("there is no choice of \(word.printable()). Use one of \(words)")
      )
    }
    self = choice
  }

  /// Empty without a daemon. Names that a shell cannot read as one line are left out.
  var names: [String] {
    let names = MainActor.assumeIsolated { try? ControlClient().choices(self) } ?? []
    return names.filter { $0 == $0.printable() && !$0.isEmpty }
  }
}

/// Shell completions of options whose values are not a fixed list.
extension CompletionKind {
  static var outputs: Self { .custom { _, _, _ in Choice.outputs.names } }
  static var applications: Self { .custom { _, _, _ in Choice.applications.names } }

  /// Applications with windows, and those with rules.
  static var applicationsAndRules: Self {
    .custom { _, _, _ in
      let rules = Configuration.read(from: ConfigurationDirectories()).settings.rules.flatMap(\.matches)
      let seen = Choice.applications.names
      return seen + Set(rules.filter { !$0.contains("*") && !$0.contains("?") }).subtracting(seen).sorted()
    }
  }

  static var masks: Self { .list(OrientationName.allCases.map(\.rawValue)) }
  static var times: Self { .list(["10m", "30m", "1h", "2h"]) }
}
