// SPDX-License-Identifier: MIT

/// Finds the niri of this session: NIRI_SOCKET names its socket, or it is one of those in XDG_RUNTIME_DIR.
struct NiriSocket {
  var search = SocketSearch()

  func find() throws(NiriUnavailable) -> (path: String, socket: CompositorSocket) {
    do throws(SocketSearch.Failure) {
      return try search.find(variable: "NIRI_SOCKET", prefix: "niri.")
    } catch {
      switch error {
      case .several(let paths): throw .several(paths)
      case .stale(let path): throw .stale(path)
      case .none: throw .none
      }
    }
  }
}

/// Why there is no niri to work with: a sentence that names the next step.
package enum NiriUnavailable: Error, Equatable, CustomStringConvertible {
  case none
  case stale(String)
  case several([String])
  /// It does not say what it must; why.
  case mute(String)

  package var description: String {
    switch self {
    case .none:
      "there is no niri here: NIRI_SOCKET is not set, and XDG_RUNTIME_DIR has no niri socket; "
        + "start autorotate from within niri"
    case .stale(let path):
      "NIRI_SOCKET names \(path), where nobody answers, and XDG_RUNTIME_DIR has no other niri socket: "
        + "start autorotate from within niri"
    case .several(let paths):
      "several niris run here: set NIRI_SOCKET to the right one of \(paths.joined(separator: ", "))"
    case .mute(let reason):
      "niri does not tell its state (\(reason)): see whether `niri msg version` answers"
    }
  }
}
