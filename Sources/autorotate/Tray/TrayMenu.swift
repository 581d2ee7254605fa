// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language

/// The action of a click in the tray.
enum TrayRequest: Equatable {
  case command(DaemonCommand)
  case choose(RuleChoice, application: String)
  case startDaemon
  case openSettings
  case showProblems
  case quit
}

struct MenuEntry: Equatable {
  enum Style: Equatable {
    case plain, separator
    case check(isOn: Bool)
    case radio(isOn: Bool)
  }

  /// Stays the same for an entry with the same meaning.
  let id: Int32
  var label = ""
  var style = Style.plain
  var isEnabled = true
  var request: TrayRequest?
  var children: [MenuEntry] = []
}

enum TrayMenu {
  private enum ID: Int32 {
    case lock = 1
    case hold, absence, start, why, quit, offer, lockUntil, application, separators
    case orientations = 20
    case lockEnds = 30
    case choices = 40
    case settings = 50
    case wrong
    case reasons = 100
  }

  /// - Parameters:
  ///   - report: `nil` while no daemon runs.
  ///   - choice: the rule of the focused application; `nil` if it is none of the choices.
  ///   - hasWindow: whether the window is installed.
  static func entries(
    _ report: StatusReport?, choice: RuleChoice? = nil, hasWindow: Bool = false
  ) -> [MenuEntry] {
    let settings = MenuEntry(id: ID.settings.rawValue, label: localized("Settings…"), request: .openSettings)
    let quit = MenuEntry(id: ID.quit.rawValue, label: localized("Remove This Icon"), request: .quit)
    let window = hasWindow ? (report.map(wrong) ?? []) + [settings] : []
    let all = (report.map { parts($0, choice) } ?? [absence]) + [window + [quit]]
    let separators = (0..<Int32(all.count - 1)).map {
      [MenuEntry(id: ID.separators.rawValue + $0, style: .separator)]
    }
    return Array(zip(all, separators + [[]]).map { $0 + $1 }.joined())
  }

  private static let absence = [
    MenuEntry(id: ID.absence.rawValue, label: localized("autorotate is not running"), isEnabled: false),
    MenuEntry(id: ID.start.rawValue, label: localized("Start autorotate"), request: .startDaemon),
  ]

  private static func parts(_ report: StatusReport, _ choice: RuleChoice?) -> [[MenuEntry]] {
    [
      offer(report), switches(report), orientations(report),
      rule(choice, of: report.application) + [why(report)],
    ].filter { !$0.isEmpty }
  }

  private static func offer(_ report: StatusReport) -> [MenuEntry] {
    guard let offered = InterfaceOrientation(word: report.suggestion) else { return [] }
    let label = localized("Rotate: \(localized(offered.title(on: report.panelAspect)))")
    return [MenuEntry(id: ID.offer.rawValue, label: label, request: .command(.acceptSuggestion))]
  }

  private static func switches(_ report: StatusReport) -> [MenuEntry] {
    [
      MenuEntry(
        id: ID.lock.rawValue, label: localized("Rotation Lock"), style: .check(isOn: !report.lock.isEmpty),
        request: .command(.toggleLock)),
      MenuEntry(id: ID.lockUntil.rawValue, label: localized("Lock Temporarily"), children: lockEnds(report)),
      MenuEntry(
        id: ID.hold.rawValue, label: localized("Pause Auto-Rotation"), style: .check(isOn: report.isPaused),
        request: .command(.hold(!report.isPaused))),
    ]
  }

  private static func lockEnds(_ report: StatusReport) -> [MenuEntry] {
    let name = report.application
    let ends: [(label: String, end: LockEnd<Duration>, isPossible: Bool)] = [
      (localized("For 30 Minutes"), .time(.seconds(30 * 60)), true),
      (localized("Until Unfolded"), .unfolded, report.posture != Posture.unknown.rawValue),
      (localized("While \(name) Is Focused"), .focus(application: name), true),
    ]
    return zip(ID.lockEnds.rawValue..., name.isEmpty ? ends.dropLast() : ends[...]).map { id, item in
      let isSet = report.lockEnd == item.end.word && ["", name].contains(report.lockApplication)
      return MenuEntry(
        id: id, label: item.label, style: .radio(isOn: isSet), isEnabled: item.isPossible,
        request: .command(.lock(nil, until: item.end)))
    }
  }

  private static func orientations(_ report: StatusReport) -> [MenuEntry] {
    zip(ID.orientations.rawValue..., InterfaceOrientation.allCases).map { id, orientation in
      let word = orientation.word
      return MenuEntry(
        id: id, label: localized(orientation.title(on: report.panelAspect)),
        style: .radio(isOn: word == report.orientation), isEnabled: report.allowed.contains(word),
        request: .command(.rotate(.to(orientation), output: nil)))
    }
  }

  private static func rule(_ chosen: RuleChoice?, of name: String) -> [MenuEntry] {
    guard !name.isEmpty else { return [] }
    let choices = zip(ID.choices.rawValue..., RuleChoice.allCases).map { id, choice in
      MenuEntry(
        id: id, label: localized(choice.words), style: .radio(isOn: choice == chosen),
        request: .choose(choice, application: name))
    }
    let label = localized("App Rule: \(name)")
    return [MenuEntry(id: ID.application.rawValue, label: label, children: choices)]
  }

  private static func wrong(_ report: StatusReport) -> [MenuEntry] {
    guard !report.faults.isEmpty else { return [] }
    return [MenuEntry(id: ID.wrong.rawValue, label: localized("Show Problems"), request: .showProblems)]
  }

  private static func why(_ report: StatusReport) -> MenuEntry {
    MenuEntry(
      id: ID.why.rawValue, label: localized("Why"), isEnabled: !report.reasons.isEmpty,
      children: zip(ID.reasons.rawValue..., report.sentences).map { id, reason in
        MenuEntry(id: id, label: reason, isEnabled: false)
      })
  }
}
