// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import Language

/// Why the X server did not do what it was asked.
enum X11Error: Error, Equatable, CustomStringConvertible {
  /// The connection is broken.
  case gone
  /// The server does not answer in time.
  case late
  /// The protocol's error code, and the request that met it.
  case refused(code: UInt8, major: UInt8, minor: UInt16)
  /// RandR took the request but did not carry it out; the status of `SetCrtcConfig`.
  case failed(status: UInt8)

  init(taking error: UnsafeMutablePointer<xcb_generic_error_t>?) {
    guard let error else {
      self = .gone
      return
    }
    self = .refused(
      code: error.pointee.error_code, major: error.pointee.major_code, minor: error.pointee.minor_code)
    free(error)
  }

  var description: String {
    switch self {
    case .gone: "the X server is gone"
    case .late: "the X server does not answer"
    case .refused(let code, let major, let minor): "\(Self.name(code)) on request \(major).\(minor)"
    case .failed(let status): "RandR status \(status) (\(Self.statusName(status)))"
    }
  }

  private static func name(_ code: UInt8) -> String {
    let names = [
      1: "BadRequest", 2: "BadValue", 3: "BadWindow", 4: "BadPixmap", 5: "BadAtom", 8: "BadMatch",
      9: "BadDrawable", 10: "BadAccess", 11: "BadAlloc", 16: "BadLength", 17: "BadImplementation",
    ]
    return names[Int(code)] ?? "error \(code)"
  }

  private static func statusName(_ status: UInt8) -> String {
    switch status {
    case 1: "invalid configuration time"
    case 2: "invalid time"
    default: "the driver failed"
    }
  }
}

/// Why there is no X display to work with: a sentence that names the next step.
package enum X11Unavailable: Error, Equatable, CustomStringConvertible {
  case noDisplay
  case cannotConnect(String)
  case silent(String)
  case isXWayland(String)
  case tooOld(String)

  package var description: String { localized(phrase) }

  private var phrase: Phrase {
    switch self {
    case .noDisplay:
      "DISPLAY is not set: start autorotate from within the desktop session, or set DISPLAY"
    case .cannotConnect(let display):
      "cannot connect to the X display \(display): check DISPLAY, and whether this user may connect "
        + "(XAUTHORITY, `xhost`)"
    case .silent(let display):
      "the X server of display \(display) does not answer: see whether it is stopped or busy (`top`), or whether "
        + "a program has grabbed it for itself and hangs"
    case .isXWayland(let display):
      "the X display \(display) is XWayland, which cannot rotate anything: "
        + "this is a Wayland session, so start autorotate where WAYLAND_DISPLAY is set"
    case .tooOld(let display):
      "the X display \(display) has no RandR 1.3: use an X server that does, such as Xorg"
    }
  }
}
