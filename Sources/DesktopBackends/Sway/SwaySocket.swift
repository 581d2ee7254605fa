// SPDX-License-Identifier: MIT

/// Finds the sway of this session: SWAYSOCK names its socket, or it is one of those in XDG_RUNTIME_DIR.
struct SwaySocket {
  var search = SocketSearch()

  func connect() throws(SwayUnavailable) -> CompositorSocket {
    do throws(SocketSearch.Failure) {
      return try search.find(variable: "SWAYSOCK", prefix: "sway-ipc.").socket
    } catch {
      switch error {
      case .several(let paths): throw .several(paths)
      case .stale(let path): throw .stale(path)
      case .none: throw .none
      }
    }
  }
}

/// Why there is no sway to work with: a sentence that names the next step.
package enum SwayUnavailable: Error, Equatable, CustomStringConvertible {
  case none
  case stale(String)
  case several([String])
  /// It does not say what it must; why.
  case mute(String)

  package var description: String {
    switch self {
    case .none:
      "there is no sway here: SWAYSOCK is not set, and XDG_RUNTIME_DIR has no sway socket; "
        + "start autorotate from within sway"
    case .stale(let path):
      "SWAYSOCK names \(path), where nobody answers, and XDG_RUNTIME_DIR has no other sway socket: "
        + "start autorotate from within sway"
    case .several(let paths):
      "several sways run here: set SWAYSOCK to the right one of \(paths.joined(separator: ", "))"
    case .mute(let reason):
      "sway does not tell its state (\(reason)): see whether `swaymsg -t get_version` answers"
    }
  }
}
