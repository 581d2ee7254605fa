// SPDX-License-Identifier: MIT

import Autorotation

extension X11Backend {
  /// - Parameter display: like `DISPLAY`; `nil` for `DISPLAY` itself.
  /// - Throws: `Message`.
  package static func inspect(
    settings: DisplaySettings = DisplaySettings(), display: String? = nil
  ) throws -> DisplayInspection {
    let found = try X11Inspection.inspect(display: display, settings: settings)
    return DisplayInspection(
      system: "X11, \(found.display)", outputs: found.outputs, panel: found.panel,
      touch: found.devices.map(\.remark), focus: found.focusRemark)
  }
}

extension X11Inspection {
  nonisolated fileprivate var focusRemark: Message {
    guard reportsFocus else {
      return Message(
        .focusUnknown,
        "no window manager reports the active window (EWMH's _NET_ACTIVE_WINDOW), so application rules "
          + "do not apply",
        next: "start a window manager that reports it, as almost all do")
    }
    return Message(.focusKnown, "the window manager reports the active window")
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
      "\(name) is not mapped to the panel: its Coordinate Transformation Matrix is \(matrix.words)",
      next: "start autorotate, which keeps it correct")
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
