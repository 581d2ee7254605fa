// SPDX-License-Identifier: MIT

import Autorotation

extension X11Backend {
  /// - Parameter display: like `DISPLAY`, which is taken if it is `nil`.
  /// - Throws: `Message`.
  package static func inspect(
    settings: DisplaySettings = DisplaySettings(), display: String? = nil
  ) throws -> DisplayInspection {
    let seen = try X11Inspection.look(display: display, settings: settings)
    return DisplayInspection(
      system: "X11, \(seen.display)", outputs: seen.outputs, panel: seen.panel,
      touch: seen.devices.map(\.remark),
      focus: seen.focusRemark)
  }
}

extension X11Inspection {
  nonisolated fileprivate var focusRemark: Message {
    guard tellsFocus else {
      return Message(
        .focusUnknown,
        "no window manager tells which window is active (by EWMH's _NET_ACTIVE_WINDOW), so rules for "
          + "applications do not apply",
        next: "start a window manager that does, as almost all do")
    }
    return Message(.focusKnown, "the window manager tells which window is active")
  }
}

extension X11Inspection.Device {
  nonisolated var remark: Message {
    if let complaint { return complaint }
    guard !fits else { return Message(.touchFollows, "\(name) follows \(output ?? "the panel")") }
    guard let matrix else {
      return Message(
        .touchAstray, "\(name) cannot follow the panel: it has no Coordinate Transformation Matrix",
        next: "name it under ignore in the [touch] settings")
    }
    return Message(
      .touchAstray,
      "\(name) does not fit the panel's place: its Coordinate Transformation Matrix is \(matrix.words)",
      next: "start autorotate, which keeps it right")
  }
}

extension [Double] {
  nonisolated fileprivate var words: String {
    map { Int(exactly: $0).map { "\($0)" } ?? $0.text(decimals: 3) }.joined(separator: " ")
  }
}

extension X11Backend {
  package var applications: [[String]]? {
    guard let session, session.connection.replies.beginPass() else { return nil }
    return try? session.focus.applications()
  }
}
