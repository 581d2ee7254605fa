// SPDX-License-Identifier: MIT

package import Autorotation
import Language

/// All files of settings together: what applies, and what is wrong with them.
package struct Configuration: Equatable, Sendable {
  /// What became of a rule's file.
  package enum RuleState: Equatable, Sendable {
    case inForce
    /// A nearer file of the same name says something else, or nothing at all.
    case replaced(by: String)
    case switchedOff(by: String)
    /// Cannot be understood. A daemon may have kept what it said before.
    case broken
  }

  package struct RuleFile: Equatable, Sendable {
    package var path: String
    package var layer: ApplicationRule.Layer
    /// `nil` if the file is broken or has no keys.
    package var rule: ApplicationRule?
    package var state: RuleState
    /// The first of what makes it broken. It may be in force all the same, by what it said before.
    package var fault: Diagnostic?
    /// Of the applications that a broken one seems to be for: by what can be read of it, and by the file's own name.
    package var names: [String] = []
  }

  /// A value of a config.toml that is in force and is not the default.
  package struct ChangedSetting: Equatable, Sendable {
    /// "[desktop] rotate-in"
    package var name: String
    /// For a person.
    package var value: String
    package var path: String
    package var line: Int
  }

  package internal(set) var settings = Settings()
  package internal(set) var machine = MachineSettings()
  /// In the order of the files, and of the lines in each.
  package internal(set) var diagnostics: [Diagnostic] = []
  package internal(set) var ruleFiles: [RuleFile] = []
  package internal(set) var changedSettings: [ChangedSetting] = []

  package init() {}

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// - Parameters:
  ///   - files: the nearest first: the person's, the administrator's, the shipped ones.
  ///   - aspect: which way the panel's natural picture lies, if that is known: landscape and portrait
  ///     depend on it.
  package static func read(_ files: [ConfigurationFile], on aspect: PanelAspect? = nil) -> Self {
    ConfigurationMerge(files.map(ReadFile.init), aspect: aspect).merged
  }
}

extension Configuration {
  /// What is wrong with the files of rules that seem to be for an application.
  /// - Parameter identifiers: all of its names.
  package func faults(ofRulesFor identifiers: [String]) -> [Phrase] {
    let broken = ruleFiles.filter { file in
      file.names.contains { name in identifiers.contains { ApplicationRule.pattern(name, matches: $0) } }
    }
    return broken.compactMap { file in
      guard let fault = file.fault?.headline else { return nil }
      return file.state == .broken ? "\(fault)" : "\(fault) – keeps what it said before, until it is mended"
    }
  }
}

extension ApplicationRule {
  /// One line: whom it is for, and what it says.
  package var summary: String {
    let scope: Phrase = fullscreen.map { $0 ? " while fullscreen" : " while not fullscreen" } ?? ""
    var says = [supported?.words].compactMap(\.self)
    if let preferred { says.append(localized("rather \(preferred.word)")) }
    if !autoRotate { says.append(localized("keeps what is shown")) }
    let all = says.isEmpty ? localized("nothing") : says.joined(separator: ", ")
    let shape: Phrase = postures.map { " in posture \($0.map(\.rawValue).joined(separator: ", "))" } ?? ""
    let sound: Phrase = playing.map { $0 ? " while it plays" : " while it plays nothing" } ?? ""
    return "\(matches.shown)\(localized(scope))\(localized(sound))\(localized(shape)): \(all)"
  }
}

extension [OrientationWord] {
  fileprivate var words: String { map(\.rawValue).joined(separator: ", ") }
}

extension [String] {
  fileprivate var shown: String { map(\.quotable).joined(separator: ", ") }
}
