// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// The connection to an X server and all that works on it, created after the server's first reply.
final class X11Session {
  let connection: X11Connection
  let randr: RandR
  let touch: TouchMapping?
  let disabled: DisabledDevices?
  let focus: FocusTracker
  let fullscreen: FullscreenRestorer
  let visibility: ScreenVisibility
  let restoration: OutputRestoration
  let input: XInput?

  /// - Parameters:
  ///   - note: receives messages for the user.
  ///   - due: called when outputs or windows have to be checked.
  /// - Throws: `Message`.
  init(
    _ connection: X11Connection, loop: EventLoop, settings: DisplaySettings,
    note: @escaping (Message) -> Void, due: @escaping () -> Void
  ) throws {
    self.connection = connection
    randr = try RandR(connection)
    try randr.readFirst()
    input = try XInput(connection)
    touch = input.map { TouchMapping($0, settings: settings, note: note) }
    disabled = input.map { DisabledDevices($0) }
    restoration = try OutputRestoration(randr, loop: loop, due: due)
    visibility = ScreenVisibility(connection, input, try DPMS(connection), try ScreenSaver(connection))
    focus = try FocusTracker(connection, loop: loop, note: note)
    fullscreen = try FullscreenRestorer(connection, loop: loop, due: due)
    if input == nil {
      note(
        Message(
          .touchMisplaced, "the X server's XInput is older than 2.2: touchscreens and pens do not rotate"))
    }
  }

  /// Undoes changes that must not outlast this process.
  /// - Parameter isRotating: whether a rotation is sent and not yet answered.
  func stop(isRotating: Bool) {
    _ = connection.replies.beginPass()
    disabled?.stop()
    guard isRotating || restoration.isAttemptPending || connection.replies.areLate else { return }
    randr.keepAlive?.send()
    connection.flush()
    connection.keepsPendingRequests = true
  }
}

/// Lets the X server carry out all sent requests even if this process is killed meanwhile.
///
/// When the server replies to a request and finds the client's socket closed, it drops the client's other requests, and
/// `SetCrtcConfig` always has a reply. A kill after the first of several requests would leave the rest undone, a
/// display off or touch misplaced. So the requests carry a duplicate of the client's end of the socket. The server
/// holds it from reading the first request until the last one, which attaches it as shared memory, fails, and closes
/// it. Until then the client's end stays open, even without the client.
struct ConnectionKeepAlive {
  private let connection: X11Connection
  private let segment: xcb_shm_seg_t

  /// `nil` if the server cannot receive descriptors (MIT-SHM older than 1.2).
  init?(_ connection: X11Connection) throws(Message) {
    guard let reply = cxcb_shm_extension(connection.handle), reply.pointee.present != 0 else { return nil }
    let cookie = xcb_shm_query_version(connection.handle)
    let version = try connection.reply(cookie, xcb_shm_query_version_reply) {
      ($0.pointee.major_version, $0.pointee.minor_version)
    }
    guard version >= (1, 2) else { return nil }
    self.connection = connection
    // Never used: attaching always fails.
    segment = xcb_generate_id(connection.handle)
  }

  /// To be called after the last of the requests, before any of them is flushed.
  func send() {
    let duplicate = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { return }
    // xcb closes the duplicate after sending it.
    let cookie = xcb_shm_attach_fd_checked(connection.handle, segment, duplicate, 0)
    xcb_discard_reply(connection.handle, cookie.sequence)
  }
}
