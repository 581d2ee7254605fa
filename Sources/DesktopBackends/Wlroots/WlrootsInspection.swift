// SPDX-License-Identifier: MIT

import Autorotation

extension WlrootsBackend {
  /// Looks at the compositor, in at most some 2 s.
  /// - Parameter display: like `WAYLAND_DISPLAY`, which is taken if it is `nil`.
  /// - Throws: `Message`
  package static func inspect(
    settings: DisplaySettings, display: String? = nil
  ) throws -> DisplayInspection {
    let session = try WlrootsSession(display: display)
    let outputs = session.manager.measuredLayout.outputs
    let panel = outputs.panelName(chosen: settings.output)
    return DisplayInspection(
      system: "\(session.compositor) on \(session.connection.name)", outputs: outputs, panel: panel,
      touch: touch(of: session.connection.compositor, panel: panel ?? "eDP-1"), focus: focus(session))
  }

  private static func focus(_ session: WlrootsSession) -> DisplayInspection.Remark {
    guard session.focus == nil else {
      return .init("\(session.compositor) tells which window has focus (wlr-foreign-toplevel-management)")
    }
    return .init(
      "\(session.compositor) tells nobody which window has focus, so rules for applications do not apply",
      next: "use a compositor with wlr-foreign-toplevel-management if you need them")
  }

  private static func touch(of compositor: String?, panel: String) -> [DisplayInspection.Remark] {
    let mapping = MappedTouchscreens(panel: panel)
    return mapping.devices().map { mapping.remark(on: $0, compositor: compositor) }
  }
}
