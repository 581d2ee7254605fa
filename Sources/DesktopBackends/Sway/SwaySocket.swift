// SPDX-License-Identifier: MIT

import Glibc

/// Finds the sway of this session.
///
/// SWAYSOCK names its socket; but a terminal multiplexer or a systemd unit may hand on the one of a sway that
/// has ended. Then it is, among the living ones in XDG_RUNTIME_DIR, the one that serves WAYLAND_DISPLAY, or
/// the only one.
struct SwaySocket {
  /// Reads an environment variable.
  var variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }

  func connect() throws(SwayUnavailable) -> CompositorSocket {
    let named = variable("SWAYSOCK") ?? ""
    if !named.isEmpty, let socket = try? CompositorSocket(connectingTo: named) { return socket }
    let living = socketsInRuntimeDirectory()
    if let server = waylandServer, let own = living.first(where: { $0.socket.listener == server }) {
      return own.socket
    }
    guard living.count <= 1 else { throw .several(living.map(\.path)) }
    guard let only = living.first else { throw named.isEmpty ? .none : .stale(named) }
    return only.socket
  }

  private func socketsInRuntimeDirectory() -> [(path: String, socket: CompositorSocket)] {
    guard let directory = variable("XDG_RUNTIME_DIR"), let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("sway-ipc."), name.hasSuffix(".sock") { paths.append("\(directory)/\(name)") }
    }
    return paths.sorted().compactMap { path in
      (try? CompositorSocket(connectingTo: path)).map { (path, $0) }
    }
  }

  /// The process that serves WAYLAND_DISPLAY.
  private var waylandServer: Int32? {
    guard let display = variable("WAYLAND_DISPLAY"), !display.isEmpty else { return nil }
    let path = display.hasPrefix("/") ? display : "\(variable("XDG_RUNTIME_DIR") ?? "")/\(display)"
    return (try? CompositorSocket(connectingTo: path))?.listener
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
