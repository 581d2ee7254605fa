// SPDX-License-Identifier: MIT

/// Why an application has its screen orientation, and the screen orientation for each device orientation.
package struct Explanation: Sendable {
  /// A source of restrictions on the allowed orientations: its kind, or where it is written. It is ignored if it would
  /// allow nothing.
  package typealias Level = (name: Phrase, mask: OrientationMask, isInEffect: Bool)
  /// A rule for the same application that does not apply.
  package typealias Other = (rule: ApplicationRule, why: Phrase)
  /// The screen orientation for one device orientation.
  package typealias Outcome = (device: DeviceOrientation, orientation: InterfaceOrientation, reason: Phrase)

  /// All names of the application; empty if none is in focus.
  package var identifiers: [String]
  /// The title of its window, while a rule depends on titles.
  package var title: String?
  package var isFullscreen: Bool
  /// The rule that applies.
  package var rule: ApplicationRule?
  package var others: [Other]
  package var levels: [Level]
  package var allowed: OrientationMask
  package var outcomes: [Outcome]
  /// Errors in rule files that seem to be for it.
  package var faults: [Phrase] = []
  /// The output of the focused window, if that is none of the panels.
  package var otherOutput: String?
}

extension Autorotator {
  /// - Parameter application: a name to explain as if it had focus, with the other names of its windows if there are
  ///   any; `nil` for the application that has focus.
  package func explanation(of application: String?, isFullscreen: Bool = false) -> Explanation {
    guard let application else { return explanationOfFocus }
    let names = applications.windows.names(of: application) ?? [application]
    return explanation(ifFocused: applications.windows.window(of: names, isFullscreen: isFullscreen))
  }

  /// The rules in effect for each application that has a window, the focused one first. The others are assumed not to
  /// be fullscreen.
  package var explanationsOfWindows: [Explanation] {
    let front = explanationOfFocus
    let others = applications.windows.all.filter { $0 != front.identifiers }
    return (front.identifiers.isEmpty ? [] : [front])
      + others.map { explanation(ifFocused: applications.windows.window(of: $0)) }
  }

  /// Whether a rule depends on titles of windows. Else they are not read, since each change is a wake-up.
  package var needsTitles: Bool { settings.rules.contains { $0.titles != nil } }

  /// Whether a lock ends with the last window of an application.
  package var needsWindows: Bool { if case .focus? = locking.current?.end { true } else { false } }

  /// Whether the display system lists the windows; else the known windows are those that had focus recently.
  package var knowsAllWindows: Bool { applications.windows.listed != nil }

  private func explanation(ifFocused window: Window) -> Explanation {
    var hypothetical = self
    hypothetical.applications.playback = Playback()
    hypothetical.applications.focus = Focus(on: window)
    return hypothetical.explanationOfFocus
  }

  private var explanationOfFocus: Explanation {
    let window = applications.focus.window
    // Made once, since it compares the window with all rules.
    let situation = situation
    let decision = situation.decide()
    let rule = situation.rule
    return Explanation(
      identifiers: window?.identifiers ?? [], title: title, isFullscreen: window?.isFullscreen ?? false,
      rule: rule, others: window.map { others(for: $0, than: rule) } ?? [],
      levels: levels(situation, decision), allowed: decision.allowed,
      outcomes: DeviceOrientation.allCases.map { outcome($0, in: situation) },
      otherOutput: applications.focus.otherOutput(than: activePanels.map(\.name)))
  }

  private func others(for window: Window, than rule: ApplicationRule?) -> [Explanation.Other] {
    let comesFirst: Phrase = rule.map { "\($0.source) comes first" } ?? "another rule comes first"
    return settings.rules.filter { $0 != rule && $0.names(window) }.map { other in
      let unmet = unmetConditions(of: other, for: window)
      let first = unmet.first ?? comesFirst
      return (rule: other, why: unmet.dropFirst().reduce(first) { "\($0), \($1)" })
    }
  }

  private func unmetConditions(of rule: ApplicationRule, for window: Window) -> [Phrase] {
    var conditions: [Phrase] = []
    if let titles = rule.titles, !rule.fitsTitle(of: window) {
      conditions.append(Phrase("only with the title \(titles.joined(separator: ", "))"))
    }
    if let wanted = rule.fullscreen, wanted != window.isFullscreen {
      conditions.append(wanted ? Phrase("only while fullscreen") : Phrase("only while not fullscreen"))
    }
    if let postures = rule.postures, !rule.applies(in: posture) {
      conditions.append(Phrase("only in this posture: \(postures.map(\.rawValue).joined(separator: ", "))"))
    }
    if let wanted = rule.playing, wanted != applications.playback.isPlaying {
      conditions.append(wanted ? Phrase("only while it plays") : Phrase("only while it plays nothing"))
    }
    return conditions
  }

  private func levels(_ situation: Situation, _ decision: Decision) -> [Explanation.Level] {
    let settings: Phrase = "your settings"
    var levels: [Explanation.Level] = [
      (settings, situation.settings.supported.mask(on: situation.naturalAspect), true)
    ]
    for reason in decision.reasons {
      switch reason {
      case .ruleAllows(let mask, _, let source):
        levels.append((Phrase(verbatim: source), mask, true))
      case .ruleConflicts(_, let source, _):
        let mask = situation.rule?.supported?.mask(on: situation.naturalAspect) ?? .all
        levels.append((Phrase(verbatim: source), mask, false))
      case .requestAllows(let mask, let request):
        levels.append((request.name, mask, true))
      case .requestNotAllowed(let request):
        let mask = request.mask.mask(on: situation.naturalAspect)
        levels.append((request.name, mask, false))
      default: break
      }
    }
    return levels
  }

  private func outcome(_ device: DeviceOrientation, in situation: Situation) -> Explanation.Outcome {
    var situation = situation
    situation.device = device
    let decision = situation.decide()
    return (device, decision.orientation, decision.reasons.last?.message(on: naturalAspect).phrase ?? "")
  }
}

extension OrientationRequest {
  fileprivate var name: Phrase { "the request of \(application)" }
}
