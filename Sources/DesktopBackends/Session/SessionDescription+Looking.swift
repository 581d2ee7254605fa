// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

extension SessionDescription {
  /// Examines the session that this process runs in. Each display server that does not answer is waited for.
  /// - Parameters:
  ///   - patience: how long a Wayland compositor may take to answer, in nanoseconds; `nil` for the usual 2 s.
  ///   - variable: looks an environment variable up.
  package static func look(
    patience: Int64? = nil, _ variable: (String) -> String? = Environment.variable
  ) -> Self {
    var session = Self()
    for name in variables {
      if let value = variable(name), !value.isEmpty { session.environment[name] = value }
    }
    session.lookAtWayland(patience ?? WaylandConnection.patience)
    if session.mayBeX11 { session.x11 = x11(session.environment["DISPLAY"]) }
    session.displayConfigOwner = displayConfigOwner
    return session
  }

  private mutating func lookAtWayland(_ patience: Int64) {
    guard let display = environment["WAYLAND_DISPLAY"] else { return }
    do {
      let connection = try WaylandConnection(display: display, patience: patience)
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
      // One that is silent is there. Whoever works with it will wait for it.
      return message.code == .displaySilent ? .server : .unreachable(message)
    } catch {
      return .unreachable(Message(.displayUnreachable, "\(error)"))
    }
  }

  private static var displayConfigOwner: Int32? {
    guard let bus = try? Bus(.session) else { return nil }
    return bus.processID(of: "org.gnome.Mutter.DisplayConfig").flatMap { Int32(exactly: $0) }
  }
}
