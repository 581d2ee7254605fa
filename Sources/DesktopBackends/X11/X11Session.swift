// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// What there is to work with on an X server, once it has answered for the first time.
final class X11Session {
  let connection: X11Connection
  let randr: RandR
  let touch: TouchMapping?
  let disabled: DisabledDevices?
  let lifeline: Lifeline?
  let focus: FocusTracker
  let fullscreen: FullscreenKeeper
  let visibility: PictureVisibility
  let restoration: OutputRestoration
  private let input: XInput?

  /// - Parameters:
  ///   - note: takes what the person is told.
  ///   - due: called when there is something to ask of outputs or windows.
  /// - Throws: `Message`.
  init(
    _ connection: X11Connection, loop: EventLoop, settings: DisplaySettings,
    note: @escaping (Message) -> Void, due: @escaping () -> Void
  ) throws {
    self.connection = connection
    guard try X11Extension("XWAYLAND", connection) == nil else {
      throw Message.isXWayland(connection.displayName)
    }
    randr = try RandR(connection)
    // Before 23.1 it had no such extension, but names of its own for the outputs.
    guard try !randr.read().connectors.contains(where: { $0.name.hasPrefix("XWAYLAND") }) else {
      throw Message.isXWayland(connection.displayName)
    }
    input = try XInput(connection)
    touch = input.map { TouchMapping($0, settings: settings, note: note) }
    disabled = input.map { DisabledDevices($0) }
    lifeline = try Lifeline(connection)
    restoration = try OutputRestoration(randr, lifeline: lifeline, loop: loop, due: due)
    visibility = PictureVisibility(connection, input, try DPMS(connection), try ScreenSaver(connection))
    focus = try FocusTracker(connection, loop: loop, note: note)
    fullscreen = try FullscreenKeeper(connection, loop: loop, due: due)
    if input == nil {
      note(
        Message(
          .touchAstray, "the X server's XInput is older than 2.2: touch and pen will not follow the picture"))
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
    guard isTurning || restoration.isSent || connection.replies.areLate else { return }
    lifeline?.send()
    connection.flush()
    connection.leaveBehind()
  }
}

/// Lets the X server finish what it was sent even if this process is killed meanwhile.
///
/// A server that meets a closed socket when it answers one request throws the client's other requests
/// away, and `SetCrtcConfig` always answers: a kill after the first of several would leave the rest
/// undone, a display dark or touch beside the picture. So the requests carry a duplicate of our own end
/// of the connection. The server holds it from reading the first of them until the last, which takes it
/// for shared memory, finds that it is none, and closes it: our end is open for as long as that takes,
/// whether we are or not.
struct Lifeline {
  private let connection: X11Connection
  private let segment: xcb_shm_seg_t

  /// `nil` if the server cannot take descriptors (MIT-SHM older than 1.2).
  init?(_ connection: X11Connection) throws(Message) {
    guard let reply = cxcb_shm_extension(connection.handle), reply.pointee.present != 0 else { return nil }
    let cookie = xcb_shm_query_version(connection.handle)
    let version = try connection.reply(cookie, xcb_shm_query_version_reply) {
      ($0.pointee.major_version, $0.pointee.minor_version)
    }
    guard version >= (1, 2) else { return nil }
    self.connection = connection
    // Never taken: attaching always fails.
    segment = xcb_generate_id(connection.handle)
  }

  /// To be called after the last request that belongs together, before anything is flushed.
  func send() {
    let duplicate = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { return }
    // xcb closes the duplicate when it has gone.
    let cookie = xcb_shm_attach_fd_checked(connection.handle, segment, duplicate, 0)
    xcb_discard_reply(connection.handle, cookie.sequence)
  }
}
