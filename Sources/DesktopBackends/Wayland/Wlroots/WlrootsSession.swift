// SPDX-License-Identifier: MIT

import Autorotation

/// A connection to a compositor with wlroots' protocols, and its state.
final class WlrootsSession {
  let connection: WaylandConnection
  let outputs: WaylandOutputs
  let manager: OutputManager
  /// `nil` if the compositor does not report the focus.
  let focus: ToplevelFocus?

  /// - Parameter timeout: the time limit for each of the compositor's two answers; nanoseconds.
  init(display: String? = nil, timeout: Int64 = WaylandConnection.timeout) throws(Message) {
    connection = try WaylandConnection(display: display, timeout: timeout)
    outputs = WaylandOutputs(connection)
    guard let manager = OutputManager(connection, sizes: outputs) else {
      throw .compositor(on: connection.path, lacks: "wlr-output-management")
    }
    self.manager = manager
    outputs.askPower()
    focus = ToplevelFocus(connection, outputs: outputs)
    try connection.firstRoundTrip()
  }

  /// The name of the compositor's program, if known.
  var compositor: Phrase { connection.compositor.map { "\($0)" } ?? "the compositor" }
}

extension WlrootsBackend {
  /// Inspects the compositor, in 2 s at most.
  /// - Throws: `Message`
  static func inspect(settings: DisplaySettings) throws -> DisplayInspection {
    let session = try WlrootsSession()
    let outputs = session.manager.outputs.named
    return DisplayInspection(
      system: "\(session.compositor) on \(session.connection.name)", outputs: outputs,
      touch: MappedTouchscreens.remarks(on: outputs, settings, compositor: session.connection.compositor),
      focus: focus(session))
  }

  private static func focus(_ session: WlrootsSession) -> Message {
    guard session.focus == nil else {
      return Message(
        .focusKnown, "\(session.compositor) reports which window has focus (wlr-foreign-toplevel-management)")
    }
    return Message(
      .focusUnknown,
      "\(session.compositor) does not report the focused window, so application rules have no effect",
      next: "use a compositor with wlr-foreign-toplevel-management if you need them")
  }
}
