// SPDX-License-Identifier: MIT

package import Autorotation

/// Which backend a session gets, and why.
nonisolated package struct BackendChoice: Equatable, Sendable {
  package var kind: BackendKind
  package var reason: Phrase

  package init(kind: BackendKind, reason: Phrase) {
    self.kind = kind
    self.reason = reason
  }
}

extension SessionDescription {
  /// The backend for this session.
  ///
  /// Wayland goes before X11, since the X server of a Wayland session is XWayland, which accepts a rotation
  /// and changes nothing. What a compositor offers goes before what the environment says: variables are
  /// inherited by what is started inside, a compositor in a window of another one included.
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
      return BackendChoice(
        kind: kind, reason: "The compositor is \(compositor?.name ?? kind.rawValue).")
    }
    if globals.contains("zwlr_output_manager_v1") {
      return BackendChoice(
        kind: .wlroots, reason: "\(compositorName) offers wlr-output-management.")
    }
    if !globals.isDisjoint(with: ["kde_output_management_v2", "kde_output_device_registry_v2"]) {
      return BackendChoice(kind: .kde, reason: "\(compositorName) offers KDE's output management.")
    }
    if isMutter(globals) {
      return BackendChoice(
        kind: .gnome, reason: "\(compositorName) offers Mutter's DisplayConfig.")
    }
    throw noWay(globals)
  }

  /// Compositors with a protocol of their own that is better than what they share with others. All of them
  /// offer wlr-output-management, too.
  nonisolated private func ownCompositor(_ globals: Set<String>) -> BackendKind? {
    guard globals.contains("zwlr_output_manager_v1") else { return nil }
    guard let name = compositor?.name.lowercased() else { return byEnvironment }
    let own = BackendKind.compositors.first { $0.words.programs.contains(name) }
    return own?.kind ?? (Self.strangers.contains(name) ? nil : byEnvironment)
  }

  /// Others that are known to be none of those, whatever they inherited.
  nonisolated private static let strangers: Set<String> = [
    "labwc", "phoc", "wayfire", "river", "cage", "cosmic-comp", "weston", "dwl", "hikari", "waybox",
    "mangowc",
  ]

  nonisolated private var byEnvironment: BackendKind? {
    BackendKind.compositors.first { environment[$0.words.variable] != nil }?.kind
  }

  /// Mutter has no global of its own for this. A name on the bus may belong to a desktop around this one.
  nonisolated private func isMutter(_ globals: Set<String>) -> Bool {
    guard let owner = displayConfigOwner else { return false }
    if let compositor { return compositor.id == owner }
    return globals.contains("gtk_shell1")
  }

  nonisolated private var compositorName: Phrase { compositor.map { "\($0.name)" } ?? "The compositor" }

  nonisolated private func noWay(_ globals: Set<String>) -> Message {
    let who: Phrase = compositor.map { "The Wayland compositor \($0.name)" } ?? "This Wayland compositor"
    // GNOME's name comes a moment after its socket.
    if globals.contains("gtk_shell1"), displayConfigOwner == nil {
      return Message(
        .displayNone,
        "\(who) seems to be GNOME's, but org.gnome.Mutter.DisplayConfig is not on the session bus",
        next: "see that DBUS_SESSION_BUS_ADDRESS is that of the session")
    }
    return Message(
      .displayUnsupported,
      "\(who) offers no way to turn an output (wlr-output-management, KDE's, or Mutter's)",
      next: "use another compositor, or ask its authors for wlr-output-management")
  }

  // MARK: X11

  nonisolated private func choiceOnX11(withoutWayland reason: Message?) throws(Message) -> BackendChoice {
    let isWayland = environment["XDG_SESSION_TYPE"] == "wayland"
    // What may be left of another session must not lead to an X server that is not this session's.
    if isWayland || x11 != .server, let reason { throw unreachable(reason) }
    switch x11 {
    case .server where !isWayland:
      let stale: Phrase = reason == nil ? "" : " WAYLAND_DISPLAY is a left-over."
      return BackendChoice(kind: .x11, reason: "The session is X11.\(stale)")
    case .unreachable(let reason) where !isWayland: throw unreachable(reason)
    case .none where !isWayland:
      throw Message(
        .displayNone, "there is no desktop here, neither WAYLAND_DISPLAY nor DISPLAY is set",
        next: "start autorotate from within the desktop session")
    case .none, .server, .xWayland, .unreachable:
      throw Message(
        .displayNone, "this is a Wayland session, but WAYLAND_DISPLAY is not set here",
        next: "let the session hand it on with "
          + "\"dbus-update-activation-environment --systemd WAYLAND_DISPLAY XDG_CURRENT_DESKTOP\"")
    }
  }

  /// Whoever listens there now may be replaced by one that can be spoken to.
  nonisolated private func unreachable(_ reason: Message) -> Message {
    reason.code == .displaySilent ? reason : Message(.displayUnreachable, reason.what, next: reason.next)
  }
}
