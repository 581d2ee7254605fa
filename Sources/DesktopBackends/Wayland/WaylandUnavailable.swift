// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// Why there is no Wayland compositor to work with: a sentence that names the next step.
nonisolated package enum WaylandUnavailable: Error, Equatable, CustomStringConvertible {
  case noDisplay
  case noRuntimeDirectory(display: String)
  case noSocket(path: String)
  case cannotConnect(path: String, reason: String)
  case notACompositor(path: String, reason: String)
  case silent(path: String)
  /// A compositor without a protocol that is needed: what that is, for a person.
  case lacks(what: String, path: String)

  package var description: String { localized(phrase) }

  private var phrase: Phrase {
    switch self {
    case .noDisplay:
      "WAYLAND_DISPLAY is not set: start autorotate from within the desktop session, or set WAYLAND_DISPLAY"
    case .noRuntimeDirectory(let display):
      "XDG_RUNTIME_DIR is not set, where the socket of WAYLAND_DISPLAY “\(display)” is: "
        + "start autorotate from within the desktop session, or set XDG_RUNTIME_DIR"
    case .noSocket(let path):
      "no Wayland compositor listens on \(path): check WAYLAND_DISPLAY and XDG_RUNTIME_DIR, which may be left from "
        + "a session that has ended"
    case .cannotConnect(let path, let reason):
      "cannot connect to the compositor on \(path) (\(reason)): check WAYLAND_DISPLAY, and whether this "
        + "user may connect"
    case .notACompositor(let path, let reason):
      "\(path) does not speak Wayland (\(reason)): check WAYLAND_DISPLAY"
    case .silent(let path):
      "nobody answers on \(path): the compositor hangs, or the socket is another program's; "
        + "check WAYLAND_DISPLAY"
    case .lacks(let what, let path):
      "the compositor on \(path) does not offer \(what): use one that does, or another --backend"
    }
  }
}
