// SPDX-License-Identifier: MIT

import CXCB
import System

/// What there is to work with on an X server, once it has answered for the first time.
final class X11Session {
  let connection: X11Connection
  let randr: RandR
  let touch: TouchMapping?
  let disabled: DisabledDevices?
  let lifeline: Lifeline?
  let focus: FocusTracker
  let visibility: PictureVisibility
  private let input: XInput?

  /// - Parameter note: takes sentences for the person.
  /// - Throws: `X11Unavailable`, or what the X server answered.
  init(
    _ connection: X11Connection, loop: EventLoop, settings: DisplaySettings, note: @escaping (String) -> Void
  ) throws {
    self.connection = connection
    guard try connection.opcode(ofExtension: "XWAYLAND") == nil else {
      throw X11Unavailable.isXWayland(connection.displayName)
    }
    randr = try RandR(connection)
    // Before 23.1 it had no such extension, but names of its own for the outputs.
    guard try !randr.read().connectors.contains(where: { $0.name.hasPrefix("XWAYLAND") }) else {
      throw X11Unavailable.isXWayland(connection.displayName)
    }
    input = try XInput(connection)
    touch = input.map { TouchMapping($0, settings: settings, note: note) }
    disabled = input.map(DisabledDevices.init)
    lifeline = try Lifeline(connection)
    visibility = PictureVisibility(connection, input, try DPMS(connection))
    let desktopFiles = DesktopFiles()
    focus = try FocusTracker(
      connection, loop: loop, declarations: { desktopFiles.orientations(of: $0) }, note: note)
    if input == nil {
      note("the X server's XInput is older than 2.2: touch and pen will not follow the picture")
    }
  }

  func change(_ event: UnsafeMutablePointer<xcb_generic_event_t>) -> XInput.Change? {
    input?.change(event)
  }

  /// Ends what others would notice.
  /// - Parameter isTurning: whether a turn is on its way.
  func stop(isTurning: Bool) {
    _ = connection.replies.beginPass()
    disabled?.stop()
    guard isTurning || connection.replies.areLate else { return }
    lifeline?.send()
    connection.flush()
    connection.leaveBehind()
  }
}
