// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language
import System

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Show which orientations an app allows, and why."),
    discussion: localized(
      """
      Without a name, the focused app is explained. A name is what a rule matches: either part of \
      WM_CLASS, or the Wayland app_id.
      """))

  @Argument(help: .localized("The app's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  @Flag(help: .localized("As if the app were fullscreen."))
  var fullscreen = false

  func validate() throws {
    guard application != nil || !fullscreen else { throw misuse("--fullscreen requires the name of an app.") }
  }

  mutating func run() throws {
    try MainActor.assumeIsolated {
      let status = ControlClient.statusIfAnswered()
      if let application { OpenApplications.warn(ifMissing: application, status) }
      let isUnknown = application == nil && OpenApplications.reportUnknownFocus(status)
      do throws(Message) {
        let text = try ControlClient().explain(application ?? "", fullscreen: fullscreen)
        // The first line would be that no app is focused.
        Console.print(isUnknown ? String(text.drop { $0 != "\n" }.dropFirst()) : text)
        OpenApplications.warnIfTitlesAreUnknown(Self.namesRuleForTitle(text))
      } catch {
        let explanation = DecisionSimulation.explanation(of: application, isFullscreen: fullscreen)
        Console.print(application == nil ? explanation.textWithoutFocus : explanation.text)
        throw error
      }
    }
  }
}

extension Explain {
  /// Whether an explanation of the daemon names the file of a rule for titles.
  private static func namesRuleForTitle(_ text: String) -> Bool {
    let rules = Configuration.read(from: ConfigurationDirectories()).settings.rules
    return rules.contains { $0.titles != nil && text.contains($0.source) }
  }
}

extension Explanation {
  /// For the user, in several lines, without a newline at the end.
  var text: String {
    let parts = [[heading], titleLines, ruleLines, fullscreenLines, faultLines, allowedLines, outcomeLines]
    return parts.joined().joined(separator: "\n")
  }

  /// Without a daemon, which alone knows the focused app.
  var textWithoutFocus: String { (allowedLines + outcomeLines).joined(separator: "\n") }

  /// Adds what is wrong with its rule files, and the rules that are switched off.
  mutating func addFindings(of configuration: Configuration) {
    faults = configuration.faults(ofRulesFor: identifiers)
    others += configuration.disabledRules(for: identifiers)
  }

  private var heading: String {
    guard let name = identifiers.first else {
      let elsewhere: Phrase? = otherOutput.map {
        "The focused window is on \($0), which autorotate does not rotate."
      }
      return localized(elsewhere ?? "No app is focused.")
    }
    let aliases = identifiers.dropFirst().filter { $0 != name }
    let also: Phrase = aliases.isEmpty ? "" : " (also \(aliases.joined(separator: ", ")))"
    let size: Phrase = isFullscreen ? ", fullscreen" : ""
    return localized("\(name)\(also)\(size)")
  }

  private var titleLines: [String] { title.map { [Self.row("Title", "\($0)")] } ?? [] }

  private var ruleLines: [String] {
    let used: Phrase = rule.map { "\($0.source), \($0.layer.words)\($0.extras)" } ?? "none"
    return [Self.row("Rule", used)]
      + others.map { Self.row("Not used", "\($0.rule.source), \($0.rule.layer.words): \($0.why)") }
  }

  private var fullscreenLines: [String] {
    guard !isFullscreen, let name = identifiers.first, others.contains(where: { $0.rule.fullscreen == true })
    else { return [] }
    return [
      Self.row("", "for fullscreen: autorotate explain \(RuleText.arguments(name, options: "--fullscreen"))")
    ]
  }

  private var faultLines: [String] {
    guard !faults.isEmpty else { return [] }
    return faults.map { Self.row("Broken", $0) } + [Self.row("", "see the fixes with: autorotate check")]
  }

  private var allowedLines: [String] {
    levels.enumerated().map { index, level in
      let way: Phrase = level.isInEffect ? "" : ", ignored: it leaves no orientation"
      return Self.row(index == 0 ? "Allowed" : "", "\(level.mask.words) by \(level.name)\(way)")
    } + [Self.row("", "\(allowed.words) in effect")]
  }

  private var outcomeLines: [String] {
    [Self.row("Device", "Screen")]
      + outcomes.map { outcome in
        let shown = outcome.orientation.word.padded(to: 10)
        return Self.row(Phrase(word: outcome.device.rawValue), "\(shown)\(outcome.reason)")
      }
  }

  private static func row(_ name: Phrase, _ value: Phrase) -> String {
    "  \(localized(name).padded(to: 12))\(localized(value))"
  }
}

extension ApplicationRule {
  fileprivate var extras: Phrase {
    let name: Phrase = titles.map { ", with title \($0.joined(separator: ", "))" } ?? ""
    let condition: Phrase = fullscreen.map { $0 ? ", while fullscreen" : ", while not fullscreen" } ?? ""
    let shape: Phrase = postures.map { ", in posture \($0.map(\.rawValue).joined(separator: ", "))" } ?? ""
    let sound: Phrase = playing.map { $0 ? ", while playing" : ", while not playing" } ?? ""
    let preference: Phrase = preferred.map { ", prefers \($0.word)" } ?? ""
    let pause: Phrase = autoRotate ? "" : ", pauses auto-rotation"
    return "\(name)\(condition)\(shape)\(sound)\(preference)\(pause)"
  }
}

extension ApplicationRule.Layer {
  var words: Phrase {
    switch self {
    case .user: "yours"
    case .administrator: "system-wide"
    case .shipped: "shipped"
    case .desktopFile: "from the app's desktop file"
    }
  }
}

extension String {
  /// With spaces up to this many columns, and at least one space.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - columns))
  }
}
