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

/// One entry of the menu.
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

/// The values that the menu shows.
struct TrayFacts: Equatable {
  var report: StatusReport
  /// The rule of the focused application; `nil` if it is none of the choices.
  var choice: RuleChoice?

  /// The faults that prevent rotation and need the user.
  var faults: [String] {
    zip(report.reasonCodes, report.sentences).filter { code, _ in
      Message.Code(rawValue: code)?.isFault ?? false
    }.map(\.1)
  }
}

/// The menu of the tray icon.
enum TrayMenu {
  private enum ID {
    static let lock: Int32 = 1
    static let hold: Int32 = 2
    static let absence: Int32 = 3
    static let start: Int32 = 4
    static let why: Int32 = 5
    static let quit: Int32 = 6
    static let offer: Int32 = 7
    static let lockUntil: Int32 = 8
    static let application: Int32 = 9
    static let separators: Int32 = 10
    static let orientations: Int32 = 20
    static let lockEnds: Int32 = 30
    static let choices: Int32 = 40
    static let settings: Int32 = 50
    static let wrong: Int32 = 51
    static let reasons: Int32 = 100
  }

  /// - Parameters:
  ///   - facts: `nil` while no daemon runs.
  ///   - hasWindow: whether the window is installed.
  static func entries(_ facts: TrayFacts?, hasWindow: Bool = false) -> [MenuEntry] {
    let settings = MenuEntry(id: ID.settings, label: localized("Settings…"), request: .openSettings)
    let quit = MenuEntry(id: ID.quit, label: localized("Remove This Icon"), request: .quit)
    let parts = (facts.map(parts) ?? [absence]) + [(hasWindow ? [settings] : []) + [quit]]
    let separators = (0..<Int32(parts.count - 1)).map {
      [MenuEntry(id: ID.separators + $0, style: .separator)]
    }
    return Array(zip(parts, separators + [[]]).map { $0 + $1 }.joined())
  }

  private static let absence = [
    MenuEntry(id: ID.absence, label: localized("autorotate is not running"), isEnabled: false),
    MenuEntry(id: ID.start, label: localized("Start autorotate"), request: .startDaemon),
  ]

  private static func parts(_ facts: TrayFacts) -> [[MenuEntry]] {
    let report = facts.report
    return [
      offer(report), switches(report), orientations(report),
      application(facts) + [why(report)] + wrong(facts),
    ].filter { !$0.isEmpty }
  }

  private static func offer(_ report: StatusReport) -> [MenuEntry] {
    guard let offered = InterfaceOrientation(word: report.suggestion) else { return [] }
    let label = localized("Rotate: \(localized(offered.title(on: report.panelAspect)))")
    return [MenuEntry(id: ID.offer, label: label, request: .command(.acceptSuggestion))]
  }

  private static func switches(_ report: StatusReport) -> [MenuEntry] {
    [
      MenuEntry(
        id: ID.lock, label: localized("Rotation Lock"), style: .check(isOn: !report.lock.isEmpty),
        request: .command(.toggleLock)),
      MenuEntry(id: ID.lockUntil, label: localized("Lock Temporarily"), children: lockEnds(report)),
      MenuEntry(
        id: ID.hold, label: localized("Pause Auto-Rotation"), style: .check(isOn: report.isPaused),
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
    return zip(ID.lockEnds..., name.isEmpty ? ends.dropLast() : ends[...]).map { id, item in
      let isSet = report.lockEnd == item.end.word && ["", name].contains(report.lockApplication)
      return MenuEntry(
        id: id, label: item.label, style: .radio(isOn: isSet), isEnabled: item.isPossible,
        request: .command(.lock(nil, until: item.end)))
    }
  }

  private static func orientations(_ report: StatusReport) -> [MenuEntry] {
    zip(ID.orientations..., InterfaceOrientation.allCases).map { id, orientation in
      let word = orientation.word
      return MenuEntry(
        id: id, label: localized(orientation.title(on: report.panelAspect)),
        style: .radio(isOn: word == report.orientation), isEnabled: report.allowed.contains(word),
        request: .command(.rotate(.to(orientation), output: nil)))
    }
  }

  private static func application(_ facts: TrayFacts) -> [MenuEntry] {
    let name = facts.report.application
    guard !name.isEmpty else { return [] }
    let choices = zip(ID.choices..., RuleChoice.allCases).map { id, choice in
      MenuEntry(
        id: id, label: localized(choice.words), style: .radio(isOn: choice == facts.choice),
        request: .choose(choice, application: name))
    }
    let label = localized("App Rule: \(name)")
    return [MenuEntry(id: ID.application, label: label, children: choices)]
  }

  private static func wrong(_ facts: TrayFacts) -> [MenuEntry] {
    guard !facts.faults.isEmpty else { return [] }
    return [MenuEntry(id: ID.wrong, label: localized("Show Problems"), request: .showProblems)]
  }

  private static func why(_ report: StatusReport) -> MenuEntry {
    MenuEntry(
      id: ID.why, label: localized("Why"), isEnabled: !report.reasons.isEmpty,
      children: zip(ID.reasons..., report.sentences).map { id, reason in
        MenuEntry(id: id, label: reason, isEnabled: false)
      })
  }
}
