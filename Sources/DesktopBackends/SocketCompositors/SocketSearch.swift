// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Finds a compositor's socket even if the environment is that of a session that has ended, as a terminal multiplexer
/// or a systemd unit may pass it on.
struct SocketSearch {
  /// Reads an environment variable.
  var variable: (String) -> String? = Environment.variable

  var runtimeDirectory: String? { variable("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 } }

  /// The socket that a compositor's environment variable names, else one in XDG_RUNTIME_DIR, with `.sock` at its end.
  func find(_ profile: CompositorProfile) throws(Message) -> (path: String, socket: CompositorSocket) {
    let others = runtimeDirectory.map { directory in
      entries(of: directory) { $0.hasPrefix(profile.socketPrefix) && $0.hasSuffix(".sock") }
    }
    return try find(profile, named: { [$0] }, others: others ?? [])
  }

  /// The first of `named` that accepts a connection. If none does: of those among `others` that do, the one whose
  /// process serves WAYLAND_DISPLAY, or the only one.
  /// - Parameters:
  ///   - named: possible paths for a value of the environment variable.
  ///   - others: other possible paths.
  ///   - value: the environment variable's value for such a path.
  func find(
    _ profile: CompositorProfile, named: (String) -> [String], others: [String],
    value: (_ path: String) -> String = { $0 }
  ) throws(Message) -> (path: String, socket: CompositorSocket) {
    let set = variable(profile.variable).flatMap { $0.isEmpty ? nil : $0 }
    if let found = reachable(set.map(named) ?? []).first { return found }
    let reachable = reachable(others)
    let wayland = try? CompositorSocket(connectingTo: WaylandSocket.path(display: nil, variable: variable))
    if let server = wayland?.listener, let own = reachable.first(where: { $0.socket.listener == server }) {
      return own
    }
    guard reachable.count <= 1 else { throw .several(reachable.map { value($0.path) }, of: profile) }
    guard let only = reachable.first else {
      throw set.map { .stale($0, of: profile) } ?? .none(of: profile)
    }
    return only
  }

  private func reachable(_ paths: [String]) -> [(path: String, socket: CompositorSocket)] {
    paths.compactMap { path in (try? CompositorSocket(connectingTo: path)).map { (path, $0) } }
  }

  /// The paths of a directory's entries, sorted.
  func entries(of directory: String, where fits: (String) -> Bool) -> [String] {
    SystemFile.names(in: directory).filter { !$0.hasPrefix(".") && fits($0) }.sorted()
      .map { "\(directory)/\($0)" }
  }
}
