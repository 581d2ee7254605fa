// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
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

extension SessionDescription {
  /// Nanoseconds. A compositor that does not answer within this time is asked again from the loop,
  /// which has to run soon.
  private static let startTimeout: Int64 = 400_000_000

  /// Like `current`, also for a daemon that was started before the session has set WAYLAND_DISPLAY: it then uses the
  /// only compositor of this user, and sets the variable for later steps.
  package static func adoptingOnlyCompositor() -> Self {
    let session = current(timeout: startTimeout)
    guard (try? session.choice()) == nil, case .none = session.wayland,
      let directory = BaseDirectories().runtime, let path = DisplaySocket.onlyCompositor(in: directory)
    else { return session }
    setenv("WAYLAND_DISPLAY", path, 1)
    return current(timeout: startTimeout)
  }

  /// Describes the session that this process runs in. Waits for each display server that does not answer.
  /// - Parameters:
  ///   - timeout: how long a Wayland compositor may take to answer, in nanoseconds; `nil` for the usual 2 s.
  ///   - variable: returns the value of an environment variable.
  package static func current(
    timeout: Int64? = nil, _ variable: (String) -> String? = Environment.variable
  ) -> Self {
    var session = Self()
    for name in variables {
      if let value = variable(name), !value.isEmpty { session.environment[name] = value }
    }
    session.inspectWayland(timeout ?? WaylandConnection.timeout)
    if session.mayBeX11 { session.x11 = x11(session.environment["DISPLAY"]) }
    session.displayConfigOwners = displayConfigOwners
    return session
  }

  private mutating func inspectWayland(_ timeout: Int64) {
    guard let display = environment["WAYLAND_DISPLAY"] else { return }
    do {
      let connection = try WaylandConnection(display: display, timeout: timeout)
      wayland = .globals(Set(connection.registry.globals.map(\.interface)))
      compositor = connection.compositorProcess
    } catch {
      wayland = .unreachable(error)
    }
  }

  private static func x11(_ display: String?) -> X11 {
    guard let display else { return .none }
    do {
      let connection = try X11Connection.connect(display: display)
      return try X11Extension("XWAYLAND", connection) == nil ? .server : .xWayland
    } catch let message as Message {
      // A silent server is running, and the backend will wait for it.
      return message.code == .displaySilent ? .server : .unreachable(message)
    } catch {
      return .unreachable(Message(.displayUnreachable, "\(error)"))
    }
  }

  private static var displayConfigOwners: [BackendKind: Int32] {
    guard let bus = try? Bus(.session) else { return [:] }
    let owners = MutterDesktop.all.compactMap { desktop in
      bus.processID(of: desktop.service).flatMap { Int32(exactly: $0) }.map { (desktop.kind, $0) }
    }
    return Dictionary(uniqueKeysWithValues: owners)
  }
}
