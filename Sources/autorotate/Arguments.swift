// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import DesktopBackends
import Language
import System

extension InterfaceOrientation: ArgumentOfWords {
  package init?(argument: String) { self.init(word: argument) }

  package static var allValueStrings: [String] { allCases.map(\.word) }
}

/// An argument whose values shells complete, though they are not its cases.
protocol ArgumentOfWords: ExpressibleByArgument {}

extension ArgumentOfWords {
  package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension MachineSettings.SensorSource: ExpressibleByArgument {
  package init?(argument: String) { self.init(word: argument) }

  package static var allValueStrings: [String] { allWords }
}

/// An orientation as typed. It is read during validation, so that a wrong one gets a short message instead of the
/// parser's long list of all values.
struct TypedOrientation: ArgumentOfWords {
  let word: String

  init?(argument: String) { word = argument }

  func rotationTarget() throws -> RotationTarget {
    if let target = RotationTarget(word: word) { return target }
    throw misuse(OrientationParser.refusal(of: word, Self.allValueStrings))
  }

  static var allValueStrings: [String] { RotationTarget.allWords }
}

extension PostureChoice: ExpressibleByArgument {}

/// The desktop that the daemon connects to.
enum BackendOption: Equatable, ArgumentOfWords {
  case auto
  case kind(BackendKind)

  init?(argument: String) {
    guard let option = argument == "auto" ? .auto : BackendKind(rawValue: argument).map(Self.kind)
    else { return nil }
    self = option
  }

  var defaultValueDescription: String { "auto" }

  static var allValueStrings: [String] { ["auto"] + BackendKind.allCases.map(\.rawValue) }
}

extension PanelMount: ArgumentOfWords {
  package init?(argument: String) { self.init(word: argument) }

  package static var allValueStrings: [String] { allCases.map(\.word) }
}

extension ArgumentHelp {
  /// - Parameter valueName: the same in every language, as in the manual.
  static func localized(_ phrase: Phrase, valueName: String? = nil) -> Self {
    var help = Self(stringLiteral: Language.localized(phrase))
    help.valueName = valueName
    return help
  }
}

/// A usage error, with what to type instead.
func misuse(_ phrase: Phrase) -> ValidationError { ValidationError(localized(phrase)) }

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

  /// Empty without a daemon.
  var names: [String] { MainActor.assumeIsolated { try? ControlClient().choices(self) } ?? [] }
}

/// Shell completions of options whose values are not a fixed list.
extension CompletionKind {
  static var outputs: Self { .names { _ in Choice.outputs.names } }
  static var applications: Self { .names { _ in Choice.applications.names } }

  /// Applications with windows, and those with rules.
  static var applicationsAndRules: Self {
    .names { _ in
      let rules = Configuration.read(from: ConfigurationDirectories()).settings.rules.flatMap(\.matches)
      let seen = Choice.applications.names
      return seen + Set(rules.filter { !$0.contains("*") && !$0.contains("?") }).subtracting(seen).sorted()
    }
  }

  /// Without names that contain a character with a meaning to a shell, since bash expands the words that it is offered:
  /// it would run the command in `$(…)`.
  /// - Parameter find: receives the words of the command line.
  static func names(_ find: @escaping @Sendable ([String]) -> [String]) -> Self {
    .custom { words, _, _ in
      find(words).filter { name in
        guard CompletionShell.requesting == .bash else { return !name.isEmpty && name == name.printable() }
        return !name.isEmpty && name.unicodeScalars.allSatisfy { $0.isPlain || $0 == " " || $0.isOfWord }
      }
    }
  }

  static var masks: Self { .list(OrientationName.allCases.map(\.rawValue)) }
  static var times: Self { .list(["10m", "30m", "1h", "2h"]) }
}

/// Reads the orientations that callers send. The error for an unknown one lists the valid ones.
enum OrientationParser {
  /// The first argument of a call.
  static func target(_ arguments: [Value]) throws(BusError) -> RotationTarget {
    let word: String = try arguments.read(0)
    guard let target = RotationTarget(word: word) else { throw unknown(word, RotationTarget.allWords) }
    return target
  }

  /// An empty word means the current orientation.
  static func targetOrCurrent(_ arguments: [Value]) throws(BusError) -> RotationTarget? {
    try arguments.read(0, as: String.self).isEmpty ? nil : try target(arguments)
  }

  static func mask(_ words: [String]) throws(BusError) -> [OrientationName] {
    let valid = OrientationName.allCases.map(\.rawValue)
    guard !words.isEmpty else {
      throw BusError(
        ControlInterface.ErrorName.invalidOrientation,
        localized("a request names at least one of: \(valid.joined(separator: ", "))"))
    }
    var mask: [OrientationName] = []
    for word in words {
      guard let known = OrientationName(rawValue: word) else { throw unknown(word, valid) }
      if !mask.contains(known) { mask.append(known) }
    }
    return mask
  }

  static func refusal(of word: String, _ valid: [String]) -> Phrase {
    let (given, words) = (word.printable(), valid.joined(separator: ", "))
    return WordSuggestion.among(valid, by: word).map {
      "\"\(given)\" is not an orientation. Did you mean \"\($0)\"? The orientations are: \(words)"
    } ?? "\"\(given)\" is not an orientation. Use one of: \(words)"
  }

  private static func unknown(_ word: String, _ valid: [String]) -> BusError {
    BusError(ControlInterface.ErrorName.invalidOrientation, localized(refusal(of: word, valid)))
  }
}
