// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// What a click in the tray asks for.
enum TrayRequest: Equatable {
  case toggleLock
  case hold(Bool)
  /// One of our four words.
  case rotate(String)
  case startDaemon
  case quit
}

/// One line of the menu.
struct MenuEntry: Equatable {
  enum Look: Equatable {
    case plain, separator
    case check(isOn: Bool)
    case radio(isOn: Bool)
  }

  /// The same as long as the line means the same.
  let id: Int32
  var label = ""
  var look = Look.plain
  var isEnabled = true
  var request: TrayRequest?
  var children: [MenuEntry] = []
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
    static let separators: Int32 = 10
    static let orientations: Int32 = 20
    static let reasons: Int32 = 100
  }

  /// - Parameter report: `nil` while no daemon runs.
  static func entries(_ report: StatusReport?) -> [MenuEntry] {
    let quit = MenuEntry(id: ID.quit, label: localized("Remove This Icon"), request: .quit)
    let parts = (report.map(parts) ?? [absence]) + [[quit]]
    let separators = (0..<Int32(parts.count - 1)).map {
      [MenuEntry(id: ID.separators + $0, look: .separator)]
    }
    return Array(zip(parts, separators + [[]]).map { $0 + $1 }.joined())
  }

  private static let absence = [
    MenuEntry(id: ID.absence, label: localized("autorotate is not running"), isEnabled: false),
    MenuEntry(id: ID.start, label: localized("Start autorotate"), request: .startDaemon),
  ]

  private static func parts(_ report: StatusReport) -> [[MenuEntry]] {
    [switches(report), orientations(report), [why(report)]]
  }

  private static func switches(_ report: StatusReport) -> [MenuEntry] {
    [
      MenuEntry(
        id: ID.lock, label: localized("Lock the Picture"), look: .check(isOn: !report.lock.isEmpty),
        request: .toggleLock
      ),
      MenuEntry(
        id: ID.hold, label: localized("Pause Auto-Rotation"), look: .check(isOn: report.isOnHold),
        request: .hold(!report.isOnHold)),
    ]
  }

  private static func orientations(_ report: StatusReport) -> [MenuEntry] {
    zip(0..., InterfaceOrientation.allCases.map(\.word)).map { index, word in
      MenuEntry(
        id: ID.orientations + index, label: word.prefix(1).uppercased() + word.dropFirst(),
        look: .radio(isOn: word == report.orientation), isEnabled: report.allowed.contains(word),
        request: .rotate(word))
    }
  }

  private static func why(_ report: StatusReport) -> MenuEntry {
    MenuEntry(
      id: ID.why, label: localized("Why"), isEnabled: !report.reasons.isEmpty,
      children: zip(0..., report.sentences).map { index, reason in
        MenuEntry(id: ID.reasons + index, label: reason, isEnabled: false)
      })
  }
}
