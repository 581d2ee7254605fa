// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import DesktopBackends
import Language

extension InterfaceOrientation: ArgumentOfWords {
  package init?(argument: String) {
    self.init(word: argument)
  }

  package static var allValueStrings: [String] { allCases.map(\.word) }
}

/// An argument whose values shells complete, though they are not its cases.
protocol ArgumentOfWords: ExpressibleByArgument {}

extension ArgumentOfWords {
  package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension MachineSettings.SensorSource: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(word: argument)
  }

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
    if argument == "auto" {
      self = .auto
    } else if let kind = BackendKind(rawValue: argument) {
      self = .kind(kind)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { "auto" }

  static var allValueStrings: [String] { ["auto"] + BackendKind.allCases.map(\.rawValue) }
}

extension PanelMount: ArgumentOfWords {
  package init?(argument: String) {
    self.init(word: argument)
  }

  package static var allValueStrings: [String] { allCases.map(\.word) }
}

extension ArgumentHelp {
  /// - Parameter valueName: the same in every language, as in the manual.
  static func localized(_ phrase: Phrase, valueName: String? = nil) -> Self {
    ArgumentHelp(stringLiteral: Language.localized(phrase)).naming(valueName)
  }

  private func naming(_ valueName: String?) -> Self {
    var help = self
    help.valueName = valueName
    return help
  }
}

/// A usage error, with what to type instead.
func misuse(_ phrase: Phrase) -> ValidationError {
  ValidationError(localized(phrase))
}
