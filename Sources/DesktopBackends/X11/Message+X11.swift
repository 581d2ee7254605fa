// SPDX-License-Identifier: MIT

package import Autorotation
import CXCB
import Glibc

/// Failures of the X server. The code distinguishes a server that has ended, does not answer, or refused.
nonisolated extension Message {
  static let xServerHasEnded = Self(.displayEnded, "the X server is gone")

  /// - Parameter error: freed here.
  static func xServer(_ error: UnsafeMutablePointer<xcb_generic_error_t>) -> Self {
    defer { free(error) }
    let (code, major, minor) = (error.pointee.error_code, error.pointee.major_code, error.pointee.minor_code)
    return Self(.displayRefused, "\(errorNames[Int(code)] ?? "Error \(code)"), \(major).\(minor)")
  }

  /// The protocol's names.
  private static let errorNames = [
    1: "BadRequest", 2: "BadValue", 3: "BadWindow", 4: "BadPixmap", 5: "BadAtom", 8: "BadMatch",
    9: "BadDrawable", 10: "BadAccess", 11: "BadAlloc", 16: "BadLength", 17: "BadImplementation",
  ]

  /// RandR received the request and did not carry it out; the status of `SetCrtcConfig`.
  static func randRStatus(_ status: UInt8) -> Self {
    let known: [UInt8: Phrase] = [1: "invalid configuration time", 2: "invalid time"]
    let meaning: Phrase = known[status] ?? "the driver failed"
    return Self(.displayRefused, "RandR status \(status) (\(meaning))")
  }

  static let noWindowManager = Self(
    .focusUnknown,
    "no window manager reports the active window (EWMH's _NET_ACTIVE_WINDOW), so app rules do not apply",
    next: "start a window manager that reports it, as almost all do")

  // MARK: Why no X display can be used

  static let noXDisplay = Self(
    .displayNone, "DISPLAY is not set",
    next: "start autorotate from within the desktop session, or set DISPLAY")

  static func cannotConnectToX(_ display: String) -> Self {
    Self(
      .displayUnreachable, "cannot connect to the X display \(display)",
      next: "check DISPLAY, and whether this user may connect (XAUTHORITY, `xhost`)")
  }

  static func silentX(_ display: String) -> Self {
    Self(
      .displaySilent, "the X server of display \(display) does not answer",
      next: "check whether it is stopped or busy (`top`), or whether a program that has grabbed it hangs")
  }

  static func silent(_ output: String, _ display: String) -> Self {
    let reason = Self.silentX(display)
    return Self(.displaySilent, "\(output) could not be rotated: \(reason.what)", next: reason.next)
  }

  package static func isXWayland(_ display: String) -> Self {
    Self(
      .displayNone, "the X display \(display) is XWayland, which cannot rotate anything",
      next: "this is a Wayland session: start autorotate where WAYLAND_DISPLAY is set")
  }

  static func tooOldX(_ display: String) -> Self {
    Self(
      .displayUnsupported, "the X display \(display) has no RandR 1.3",
      next: "use an X server with RandR 1.3 or later, such as Xorg")
  }
}
