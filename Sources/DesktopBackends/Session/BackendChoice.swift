// SPDX-License-Identifier: MIT

package import Autorotation

/// Which backend a session gets, and why.
nonisolated package struct BackendChoice: Equatable, Sendable {
  package var kind: BackendKind
  package var reason: Phrase
}

extension SessionDescription {
  /// The backend for this session.
  ///
  /// Wayland has priority over X11, since the X server of a Wayland session is XWayland, which accepts a rotation and
  /// changes nothing. A compositor's globals have priority over environment variables, which a nested compositor
  /// inherits from the outer one.
  nonisolated package func choice() throws(Message) -> BackendChoice {
    switch wayland {
    case .globals(let globals): return try choice(among: globals)
    case .none: return try choiceOnX11(withoutWayland: nil)
    case .unreachable(let reason): return try choiceOnX11(withoutWayland: reason)
    }
  }

  // MARK: Wayland

  nonisolated private func choice(among globals: Set<String>) throws(Message) -> BackendChoice {
    if let kind = ownCompositor(globals) {
      return BackendChoice(kind: kind, reason: "The compositor is \(compositor?.name ?? kind.rawValue).")
    }
    if globals.contains("zwlr_output_manager_v1") {
      return BackendChoice(kind: .wlroots, reason: "\(compositorName) offers wlr-output-management.")
    }
    if !globals.isDisjoint(with: ["kde_output_management_v2", "kde_output_device_registry_v2"]) {
      return BackendChoice(kind: .kde, reason: "\(compositorName) offers KDE's output management.")
    }
    if let desktop = mutterDesktop(globals) {
      return BackendChoice(kind: desktop.kind, reason: "\(compositorName) offers \(desktop.service).")
    }
    throw unsupported(globals)
  }

  /// Compositors whose own protocol is better than the shared ones. All of them offer wlr-output-management, too.
  nonisolated private func ownCompositor(_ globals: Set<String>) -> BackendKind? {
    guard globals.contains("zwlr_output_manager_v1") else { return nil }
    guard let name = compositor?.name.lowercased() else { return byEnvironment }
    let own = BackendKind.compositors.first { $0.words.programs.contains(name) }
    return own?.kind ?? (Self.otherCompositors.contains(name) ? nil : byEnvironment)
  }

  /// Compositors without such a protocol, even if the environment names one.
  nonisolated private static let otherCompositors: Set<String> = [
    "labwc", "phoc", "wayfire", "river", "cage", "cosmic-comp", "weston", "dwl", "hikari", "waybox",
    "mangowc",
  ]

  nonisolated private var byEnvironment: BackendKind? {
    BackendKind.compositors.first { environment[$0.words.variable] != nil }?.kind
  }

  /// Mutter has no global for output management. A name on the bus may belong to an outer desktop.
  nonisolated private func mutterDesktop(_ globals: Set<String>) -> MutterDesktop? {
    MutterDesktop.all.first { desktop in
      guard let owner = displayConfigOwners[desktop.kind] else { return false }
      if let compositor { return compositor.id == owner }
      return globals.contains("gtk_shell1")
    }
  }

  nonisolated private var compositorName: Phrase { compositor.map { "\($0.name)" } ?? "The compositor" }

  nonisolated private func unsupported(_ globals: Set<String>) -> Message {
    let who: Phrase = compositor.map { "The Wayland compositor \($0.name)" } ?? "This Wayland compositor"
    // These desktops take their bus names shortly after they create their sockets.
    if globals.contains("gtk_shell1"), displayConfigOwners.isEmpty {
      return Message(
        .displayNone,
        "\(who) seems to be GNOME's or Cinnamon's, but neither org.gnome.Mutter.DisplayConfig nor "
          + "org.cinnamon.Muffin.DisplayConfig is on the session bus",
        next: "check that DBUS_SESSION_BUS_ADDRESS is the session's address")
    }
    return Message(
      .displayUnsupported,
      "\(who) offers no way to rotate an output (wlr-output-management, KDE's, or Mutter's)",
      next: "use another compositor, or ask its authors for wlr-output-management")
  }

  // MARK: X11

  nonisolated private func choiceOnX11(withoutWayland reason: Message?) throws(Message) -> BackendChoice {
    let isWayland = environment["XDG_SESSION_TYPE"] == "wayland"
    // A variable left from another session must not lead to that session's X server.
    if isWayland || x11 != .server, let reason { throw unreachable(reason) }
    switch x11 {
    case .server where !isWayland:
      let stale: Phrase = reason == nil ? "" : " WAYLAND_DISPLAY is left over from another session."
      return BackendChoice(kind: .x11, reason: "The session is X11.\(stale)")
    case .unreachable(let reason) where !isWayland: throw unreachable(reason)
    case .none where !isWayland:
      throw Message(
        .displayNone, "no desktop session was found: neither WAYLAND_DISPLAY nor DISPLAY is set",
        next: "start autorotate from within the desktop session")
    case .none, .server, .xWayland, .unreachable:
      throw Message(
        .displayNone, "this is a Wayland session, but WAYLAND_DISPLAY is not set here",
        next: "export it from the session with "
          + "\"dbus-update-activation-environment --systemd WAYLAND_DISPLAY XDG_CURRENT_DESKTOP\"")
    }
  }

  /// A server that refuses the connection now may be replaced by a working one, so waiting makes sense.
  nonisolated private func unreachable(_ reason: Message) -> Message {
    reason.code == .displaySilent ? reason : Message(.displayUnreachable, reason.what, next: reason.next)
  }
}
