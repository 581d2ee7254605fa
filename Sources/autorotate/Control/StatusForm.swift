// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// The forms in which the status is printed.
enum StatusForm: String, CaseIterable, ExpressibleByArgument {
  /// The JSON of waybar's custom modules: text, alt, tooltip (in Pango's markup), class.
  case waybar
  /// A block of the i3bar protocol, as i3blocks reads it with format=json.
  case i3bar
  /// Plain text, for polybar, tint2, i3status-rust and the like.
  case plain
  /// For users: several lines at once, or a line at each change.
  case text
  case json

  /// Those for status bars, which help and completion list.
  static var allCases: [Self] { [.waybar, .i3bar, .plain] }

  /// The whole status, without a newline at the end.
  func whole(_ report: StatusReport) -> String { self == .text ? report.text : line(report) }

  /// One line.
  /// - Parameter report: `nil` while no daemon runs.
  func line(_ report: StatusReport?) -> String {
    switch self {
    case .waybar: Self.waybarModule(report).description
    case .i3bar: Self.i3barBlock(report).description
    case .plain: Self.words(report)
    case .text: report?.line ?? localized(.notRunning)
    case .json: report?.json ?? "null"
    }
  }

  /// "left", "left (locked)".
  private static func words(_ report: StatusReport?) -> String {
    switch (report, RotationState(report)) {
    case (let report?, .auto): report.orientation
    case (let report?, let state): "\(report.orientation) (\(state.rawValue))"
    case (nil, let state): state.rawValue
    }
  }

  private static func waybarModule(_ report: StatusReport?) -> JSON {
    let state = RotationState(report).rawValue
    return .object([
      ("text", .string(report?.orientation ?? state)),
      ("alt", .string(state)),
      ("tooltip", .string(Markup.escaped(report?.tooltip ?? localized(.notRunning)))),
      ("class", .array(([state] + (report.map(classes) ?? [])).map(JSON.string))),
    ])
  }

  private static func classes(_ report: StatusReport) -> [String] {
    [report.orientation]
      + (report.suggestion.isEmpty ? [] : ["suggestion"])
      + (report.sensorState == "lost" ? ["no-sensor"] : [])
  }

  private static func i3barBlock(_ report: StatusReport?) -> JSON {
    .object([
      ("name", .string("autorotate")), ("instance", .string(RotationState(report).rawValue)),
      ("full_text", .string(words(report))),
      ("short_text", .string(report?.orientation ?? RotationState.off.rawValue)),
    ])
  }
}

/// The states that a bar or a tray shows an icon for.
enum RotationState: String, CaseIterable {
  case auto, locked, paused
  /// No daemon runs.
  case off

  /// - Parameter report: `nil` while no daemon runs.
  init(_ report: StatusReport?) {
    self = report.map { !$0.lock.isEmpty ? .locked : $0.isPaused ? .paused : .auto } ?? .off
  }
}
