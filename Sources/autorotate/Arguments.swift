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

/// An argument whose words shells complete, though they are not its cases.
protocol ArgumentOfWords: ExpressibleByArgument {}

extension ArgumentOfWords {
  package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension OrientationWish {
  private static let named: [(word: String, wish: Self)] =
    InterfaceOrientation.allCases.map { ($0.word, .to($0)) }
    + [("landscape", .landscape), ("portrait", .portrait), ("next", .next), ("previous", .previous)]

  static var allWords: [String] { named.map(\.word) }

  init?(word: String) {
    guard let named = Self.named.first(where: { $0.word == word }) else { return nil }
    self = named.wish
  }

  var word: String { Self.named.first { $0.wish == self }?.word ?? "" }

  /// `nil` where that depends on how it stands.
  var orientation: InterfaceOrientation? {
    if case .to(let orientation) = self { orientation } else { nil }
  }
}

/// Which way to lock: as shown, or as said.
enum LockTarget: Equatable, ArgumentOfWords {
  case shown
  case to(OrientationWish)

  init?(argument: String) {
    guard let wish = OrientationWish(word: argument) else { return nil }
    self = .to(wish)
  }

  /// `nil` for what is shown.
  var wish: OrientationWish? {
    if case .to(let wish) = self { wish } else { nil }
  }

  var defaultValueDescription: String { "as shown" }

  static var allValueStrings: [String] { OrientationWish.allWords }
}

/// Which way to turn: as said, or as is offered.
enum RotateTarget: Equatable, ArgumentOfWords {
  case to(OrientationWish)
  case offered

  private static let offeredWord = "offered"

  init?(argument: String) {
    if argument == Self.offeredWord {
      self = .offered
    } else {
      guard let wish = OrientationWish(word: argument) else { return nil }
      self = .to(wish)
    }
  }

  var wish: OrientationWish? {
    if case .to(let wish) = self { wish } else { nil }
  }

  static var allValueStrings: [String] { OrientationWish.allWords + [offeredWord] }
}

extension MachineSettings.SensorSource: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(word: argument)
  }

  package static var allValueStrings: [String] { allWords }
}

/// What a person says of the posture.
enum PostureChoice: String, CaseIterable, ExpressibleByArgument {
  case tablet, tent, stand, laptop, auto

  /// `nil` for what the device tells.
  var posture: Posture? {
    switch self {
    case .tablet: .tablet
    case .tent: .tent
    case .stand: .stand
    case .laptop: .laptop
    case .auto: nil
    }
  }
}

/// Which desktop the daemon speaks to.
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
  static func said(_ phrase: Phrase, valueName: String? = nil) -> Self {
    ArgumentHelp(stringLiteral: localized(phrase)).naming(valueName)
  }

  private func naming(_ valueName: String?) -> Self {
    var help = self
    help.valueName = valueName
    return help
  }
}

/// A usage error: a sentence that says what to type instead.
func misuse(_ phrase: Phrase) -> ValidationError {
  ValidationError(localized(phrase))
}
