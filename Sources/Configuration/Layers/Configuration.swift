// SPDX-License-Identifier: MIT

package import Autorotation

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
  }

  /// A value of a config.toml that is in force and is not the default.
  package struct ChangedSetting: Equatable, Sendable {
    /// "[desktop] rotate-in"
    package var name: String
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
