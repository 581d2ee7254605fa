// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// All that the choice of a backend depends on, as plain values.
nonisolated package struct SessionDescription: Equatable, Sendable {
  /// The server behind `WAYLAND_DISPLAY`.
  package enum Wayland: Equatable, Sendable {
    /// The variable is not set.
    case none
    /// A compositor that offers these interfaces.
    case globals(Set<String>)
    /// Why the connection failed.
    case unreachable(Message)
  }

  /// The server behind `DISPLAY`.
  package enum X11: Equatable, Sendable {
    case none
    case server
    /// An X server inside a Wayland session, whose RandR changes nothing.
    case xWayland
    case unreachable(Message)
  }

  /// A process by its number and its name as in `/proc/PID/comm`, which is cut at 15 bytes.
  package struct Process: Equatable, Sendable {
    package var id: Int32
    package var name: String

    package init(id: Int32, name: String) {
      self.id = id
      self.name = name.printable()
    }

    /// The process at the other end of a Unix socket: the server of a client's socket. `nil` if it cannot be seen.
    init?(atOtherEndOf socket: Int32) {
      guard let process = UnixSocket.peer(of: socket),
        let name = SystemFile.line(of: "/proc/\(process)/comm"), !name.isEmpty
      else { return nil }
      self.init(id: process, name: name)
    }
  }

  /// Environment variables that are set and not empty.
  package var environment: [String: String] = [:]
  package var wayland = Wayland.none
  /// The server process behind `WAYLAND_DISPLAY`; `nil` if it is unknown (in a sandbox).
  package var compositor: Process?
  package var x11 = X11.none
  /// The ids of the processes that own the bus names of Mutter's DisplayConfig and its forks.
  package var displayConfigOwners: [BackendKind: Int32] = [:]

  /// Whether to connect to `DISPLAY`: compositors start Xwayland for the first connection, and keep it running.
  var mayBeX11: Bool {
    switch wayland {
    case .globals: return false
    case .unreachable(let message) where message.code == .displaySilent: return false
    case .none, .unreachable: return environment["XDG_SESSION_TYPE"] != "wayland"
    }
  }

  /// The environment variables that the choice depends on.
  static let variables =
    ["WAYLAND_DISPLAY", "DISPLAY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"]
    + BackendKind.compositors.map(\.words.variable)
}
