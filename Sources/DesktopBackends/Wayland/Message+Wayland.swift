// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import CWaylandProtocols
import Glibc

/// Why a connection to a compositor has failed.
nonisolated extension Message {
  static let compositorHasEnded = Self(.displayEnded, "the compositor has ended")

  /// The reason why a display has failed.
  /// - Parameter log: the last log line of libwayland.
  static func failure(of display: OpaquePointer, log: String) -> Self {
    switch wl_display_get_error(display) {
    case 0, EPIPE, ECONNRESET: compositorHasEnded
    case EPROTO:
      Self(.displayRefused, "the compositor closed the connection (\(protocolError(display, log: log)))")
    case let code:
      Self(
        .displayNonsense,
        "the connection to the compositor is broken (\(log.isEmpty ? String(cString: strerror(code)) : log))")
    }
  }

  /// autorotate violated a protocol.
  private static func protocolError(_ display: OpaquePointer, log: String) -> String {
    guard log.isEmpty else { return log }
    var interface: UnsafePointer<wl_interface>?
    let code = wl_display_get_protocol_error(display, &interface, nil)
    return "\(interface.map { String(cString: $0.pointee.name) } ?? "wl_display"): \(code)"
  }

  // MARK: Why no Wayland compositor is available

  static let noWaylandDisplay = Self(
    .displayNone, "WAYLAND_DISPLAY is not set",
    next: "start autorotate from within the desktop session, or set WAYLAND_DISPLAY")

  static func noRuntimeDirectory(display: String) -> Self {
    Self(
      .displayNone, "XDG_RUNTIME_DIR is not set, where the socket of WAYLAND_DISPLAY “\(display)” is",
      next: "start autorotate from within the desktop session, or set XDG_RUNTIME_DIR")
  }

  static func noCompositor(on path: String) -> Self {
    Self(
      .displayNone, "no Wayland compositor listens on \(path)",
      next: "check WAYLAND_DISPLAY and XDG_RUNTIME_DIR, which may be left from a session that has ended")
  }

  static func cannotConnect(to path: String, reason: Phrase) -> Self {
    Self(
      .displayUnreachable, "cannot connect to the compositor on \(path) (\(reason))",
      next: "check WAYLAND_DISPLAY, and whether this user may connect")
  }

  static func notACompositor(_ path: String, reason: Message) -> Self {
    Self(.displayUnsupported, "\(path) does not speak Wayland (\(reason))", next: "check WAYLAND_DISPLAY")
  }

  static func silentCompositor(on path: String) -> Self {
    Self(
      .displaySilent, "there is no answer on \(path)",
      next: "the compositor hangs, or the socket belongs to another program; check WAYLAND_DISPLAY")
  }

  /// - Parameter what: the required protocol.
  static func compositor(on path: String, lacks what: String) -> Self {
    Self(
      .displayUnsupported, "the compositor on \(path) does not offer \(what)",
      next: "use one that does, or another --backend")
  }
}

/// libwayland writes the text of an error only to its log, which is standard error unless a handler is set.
enum WaylandLog {
  /// The last line, without its end.
  private(set) static var last = ""

  static func capture() {
    cwl_set_log_handler { line in
      let text = String(line.map { String(cString: $0) }?.prefix { !$0.isNewline } ?? "").printable()
      MainActor.assumeIsolated { WaylandLog.last = text }
    }
  }
}
