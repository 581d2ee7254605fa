// SPDX-License-Identifier: MIT

/// Finds the niri of this session: NIRI_SOCKET names its socket, or it is one of those in XDG_RUNTIME_DIR.
struct NiriSocket {
  var search = SocketSearch()

  func find() throws(NiriUnavailable) -> (path: String, socket: CompositorSocket) {
    let named = search.variable("NIRI_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    let others = search.runtimeDirectory.map { directory in
      search.entries(of: directory) { $0.hasPrefix("niri.") && $0.hasSuffix(".sock") }
    }
    do throws(SocketSearch.Failure) {
      return try search.find(named: named.map { [$0] } ?? [], others: others ?? [])
    } catch {
      switch error {
      case .several(let paths): throw .several(paths)
      case .none: throw named.map { .stale($0) } ?? .none
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
