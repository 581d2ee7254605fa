// SPDX-License-Identifier: MIT

package import Autorotation
import Language

/// The merged files of settings, and their diagnostics.
package struct Configuration: Equatable, Sendable {
  /// The effect of a rule file.
  package enum RuleState: Equatable, Sendable {
    case inForce
    /// Overridden by a file of the same name with higher precedence, which may be empty (`switchedOff`).
    case replaced(by: String)
    case switchedOff(by: String)
    /// Invalid. A running daemon may still use the last valid version.
    case broken
  }

  package struct RuleFile: Equatable, Sendable {
    let file: ParsedFile
    package let state: RuleState

    package var path: String { file.file.path }
    package var layer: ApplicationRule.Layer { file.file.layer }
    /// `nil` if the file is broken or has no keys.
    package var rule: ApplicationRule? { file.rule }
    /// The first error of a broken file. The last valid version may still be in effect.
    var fault: Diagnostic? { file.fault }
    /// The applications that a broken file seems to be for: by its readable parts and its file name.
    package var names: [String] { file.isBroken ? file.applications : [] }

    /// A note at the names of a valid rule.
    package func note(_ message: Phrase) -> Diagnostic {
      file.file.diagnostic(.note, at: file.written?.matchPlaces.first, message)
    }

    /// Comments make no difference.
    package static func == (left: Self, right: Self) -> Bool {
      (left.path, left.state, left.rule, left.fault) == (right.path, right.state, right.rule, right.fault)
        && left.names == right.names
    }
  }

  package internal(set) var settings = Settings()
  package internal(set) var machine = MachineSettings()
  /// In the order of the files, and of the lines in each.
  package internal(set) var diagnostics: [Diagnostic] = []
  package internal(set) var ruleFiles: [RuleFile] = []
  /// Where each value in effect that is not the default is written: "path:line", by the full name of its key.
  package internal(set) var places: [String: String] = [:]

  package init() {}

  package var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }
  package var hasErrors: Bool { !errors.isEmpty }

  /// - Parameters:
  ///   - files: highest precedence first: the user's, the administrator's, the shipped ones.
  ///   - aspect: of the panel in its natural orientation, if known: landscape and portrait depend on it.
  package static func read(_ files: [ConfigurationFile], on aspect: PanelAspect? = nil) -> Self {
    ConfigurationMerge(files.map(ParsedFile.init), aspect: aspect).merged
  }

  /// The faults of rule files that seem to be for an application.
  /// - Parameter identifiers: all of its names.
  package func faults(ofRulesFor identifiers: [String]) -> [Phrase] {
    let broken = ruleFiles.filter { file in
      file.names.contains { name in identifiers.contains { ApplicationRule.pattern(name, matches: $0) } }
    }
    return broken.compactMap { file in
      guard let fault = file.fault?.headline else { return nil }
      return file.state == .broken
        ? "\(fault)" : "\(fault) – the previous version stays in effect until this file is fixed"
    }
  }

  /// The rules for an application that the user or the administrator has disabled.
  /// - Parameter identifiers: all of its names.
  package func disabledRules(for identifiers: [String]) -> [Explanation.Other] {
    ruleFiles.compactMap { file in
      guard case .switchedOff(let path) = file.state, let rule = file.rule,
        let name = identifiers.first(where: { rule.names($0) })
      else { return nil }
      let isOwn = ruleFiles.contains { $0.path == path && $0.layer == .user }
      let arguments = RuleText.arguments(name, rule.titles ?? [])
      let undo: Phrase = isOwn ? "; to undo: autorotate rule remove \(arguments)" : ""
      return (rule: rule, why: Phrase("disabled by \(path)\(undo)"))
    }
  }

  /// The configuration for a login screen: no lasting changes, no started programs, no notifications, and the keyboard
  /// stays enabled for typing the password.
  package var atLogin: Self {
    var configuration = self
    configuration.machine.takesOver = false
    configuration.machine.disablesInput = false
    configuration.machine.onScreenKeyboard = []
    configuration.machine.runsHooks = false
    configuration.machine.notifiesOfErrors = false
    configuration.settings.suggestsWhileLocked = false
    return configuration
  }
}

extension ApplicationRule {
  /// One line: the applications, the conditions, and the effect.
  package var summary: String {
    let scope: Phrase = fullscreen.map { $0 ? " while fullscreen" : " while not fullscreen" } ?? ""
    let title: Phrase = titles.map { " with title \($0.shown)" } ?? ""
    var effects = supported.map { [$0.map(\.rawValue).joined(separator: ", ")] } ?? []
    if let preferred { effects.append(localized("prefers \(preferred.word)")) }
    if !autoRotate { effects.append(localized("keeps the current orientation")) }
    let all = effects.isEmpty ? localized("nothing") : effects.joined(separator: ", ")
    let shape: Phrase = postures.map { " in posture \($0.map(\.rawValue).joined(separator: ", "))" } ?? ""
    let sound: Phrase = playing.map { $0 ? " while playing" : " while not playing" } ?? ""
    return
      "\(matches.shown)\(localized(title))\(localized(scope))\(localized(sound))\(localized(shape)): \(all)"
  }
}

extension [String] {
  fileprivate var shown: String { map(\.quotable).joined(separator: ", ") }
}

/// The settings of the machine, which the rotation logic does not need.
package struct MachineSettings: Equatable, Sendable {
  package enum SensorSource: Equatable, Sendable {
    /// The accelerometer where it can be read, else iio-sensor-proxy.
    case auto
    case iio
    case proxy
    /// A recorded trace.
    case replay(path: String)
  }

  package var sensorSource = SensorSource.auto
  package var accelerometer = AccelerometerSettings()
  /// Names of the touchscreens and pens that rotate with the panel; `*` and `?` match any text and any character. `nil`
  /// for the built-in ones.
  package var touchDevices: [String]?
  /// Names of touchscreens and pens that never rotate.
  package var ignoredTouchDevices: [String] = []
  /// The outputs of touchscreens and pens, where the system does not report them. The first match applies.
  package var touchMap: [TouchAssignment] = []
  /// Whether to disable the desktop's own rotation.
  package var takesOver = false
  /// Whether keyboard, touchpad and pointing stick are disabled in tablet mode.
  package var disablesInput = false
  /// The names of these devices; `auto` means the built-in ones.
  package var disabledDevices = ["auto"]
  /// The command that runs in tablet mode, with its arguments; empty for none.
  package var onScreenKeyboard: [String] = []
  /// Whether the programs in will-rotate.d, did-rotate.d and posture.d run.
  package var runsHooks = true
  /// Whether errors that the user must fix are shown as notifications, not only logged.
  package var notifiesOfErrors = true

  package init() {}
}
