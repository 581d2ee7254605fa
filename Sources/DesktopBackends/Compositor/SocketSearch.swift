// SPDX-License-Identifier: MIT

import Glibc
import System

/// Finds a compositor's socket where the environment may be that of one that has ended: a terminal multiplexer
/// or a systemd unit hands it on.
struct SocketSearch {
  enum Failure: Error, Equatable {
    case none
    /// The environment names this one, where nobody answers, and there is no other.
    case stale(String)
    /// These all answer.
    case several([String])
  }

  /// Reads an environment variable.
  var variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }

  var runtimeDirectory: String? { variable("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 } }

  /// The socket that an environment variable names, else one in XDG_RUNTIME_DIR.
  /// - Parameter prefix: of the names of such sockets, which end in `.sock`.
  func find(
    variable name: String, prefix: String
  ) throws(Failure) -> (path: String, socket: CompositorSocket) {
    let named = variable(name).flatMap { $0.isEmpty ? nil : $0 }
    let others = runtimeDirectory.map { directory in
      entries(of: directory) { $0.hasPrefix(prefix) && $0.hasSuffix(".sock") }
    }
    do throws(Failure) {
      return try find(named: named.map { [$0] } ?? [], others: others ?? [])
    } catch .none {
      throw named.map { .stale($0) } ?? .none
    }
  }

  /// The first of `named` where somebody answers. If nobody does: of those among `others` where somebody does, the
  /// one whose process serves WAYLAND_DISPLAY, or the only one.
  func find(
    named: [String], others: [String]
  ) throws(Failure) -> (path: String, socket: CompositorSocket) {
    if let found = living(named).first { return found }
    let living = living(others)
    if let server = waylandServer, let own = living.first(where: { $0.socket.listener == server }) {
      return own
    }
    guard living.count <= 1 else { throw .several(living.map(\.path)) }
    guard let only = living.first else { throw .none }
    return only
  }

  private func living(_ paths: [String]) -> [(path: String, socket: CompositorSocket)] {
    paths.compactMap { path in (try? CompositorSocket(connectingTo: path)).map { (path, $0) } }
  }

  /// The process that serves WAYLAND_DISPLAY.
  private var waylandServer: Int32? {
    guard let display = variable("WAYLAND_DISPLAY"), !display.isEmpty else { return nil }
    let path = display.hasPrefix("/") ? display : "\(runtimeDirectory ?? "")/\(display)"
    return (try? CompositorSocket(connectingTo: path))?.listener
  }

  /// The paths of what lies in a directory, in order.
  func entries(of directory: String, where fits: (String) -> Bool) -> [String] {
    SystemFile.names(in: directory).filter { !$0.hasPrefix(".") && fits($0) }.sorted()
      .map { "\(directory)/\($0)" }
  }
}
