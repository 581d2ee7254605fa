// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

extension SessionDescription {
  /// Nanoseconds. A compositor that does not answer within this time is asked again from the loop, which has to run soon.
  private static let startTimeout: Int64 = 400_000_000

  /// Like `current`, also for a daemon that was started before the session has set WAYLAND_DISPLAY: it then uses the only
  /// compositor of this user, and sets the variable for later steps.
  package static func adoptingOnlyCompositor() -> Self {
    let session = current(timeout: startTimeout)
    guard (try? session.choice()) == nil, case .none = session.wayland,
      let directory = BaseDirectories().runtime,
      let socket = DisplaySocket.onlyCompositor(in: directory)
    else { return session }
    setenv("WAYLAND_DISPLAY", socket.path, 1)
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
