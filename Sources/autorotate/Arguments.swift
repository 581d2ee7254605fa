// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import DesktopBackends
import Language

extension InterfaceOrientation: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(word: argument)
  }

  package static var allValueStrings: [String] { allCases.map(\.word) }
}

/// Which way to turn.
extension OrientationWish: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(word: argument)
  }

  package static var allValueStrings: [String] { allWords }
}

extension OrientationWish {
  static var allWords: [String] { InterfaceOrientation.allCases.map(\.word) + ["next", "previous"] }

  init?(word: String) {
    switch word {
    case "next": self = .next
    case "previous": self = .previous
    default:
      guard let orientation = InterfaceOrientation(word: word) else { return nil }
      self = .to(orientation)
    }
  }

  var word: String {
    orientation?.word ?? (self == .next ? "next" : "previous")
  }

  /// `nil` where that depends on how it stands.
  var orientation: InterfaceOrientation? {
    if case .to(let orientation) = self { orientation } else { nil }
  }
}

/// Which way to lock: as shown, or as said.
enum LockTarget: Equatable, ExpressibleByArgument {
  case shown
  case orientation(InterfaceOrientation)

  init?(argument: String) {
    guard let orientation = InterfaceOrientation(word: argument) else { return nil }
    self = .orientation(orientation)
  }

  var defaultValueDescription: String { "as shown" }

  static var allValueStrings: [String] { InterfaceOrientation.allValueStrings }
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
enum BackendOption: Equatable, ExpressibleByArgument {
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

extension PanelMount: ExpressibleByArgument {
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
