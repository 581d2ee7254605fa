// SPDX-License-Identifier: MIT

import Autorotation

/// A connection to a compositor with wlroots' protocols, and what it has told so far.
final class WlrootsSession {
  let connection: WaylandConnection
  let outputs: WaylandOutputs
  let manager: OutputManager
  /// `nil` if the compositor does not tell who has focus.
  let focus: ToplevelFocus?

  /// Waits at most some 2 s for the compositor.
  init(display: String? = nil) throws(Message) {
    connection = try WaylandConnection(display: display)
    outputs = WaylandOutputs(connection)
    guard let manager = OutputManager(connection, sizes: outputs) else {
      throw .compositor(on: connection.path, lacks: "wlr-output-management")
    }
    self.manager = manager
    for output in outputs.outputs { outputs.askPower(of: output) }
    let files = DesktopFiles()
    focus = ToplevelFocus(connection, outputs: outputs, declarations: files.orientations)
    try connection.firstRoundTrip()
  }

  /// The name of the compositor's program, if it can be known.
  var compositor: Phrase { connection.compositor.map { "\($0)" } ?? "the compositor" }
}
