// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// A known session and the right backend for it; `nil` if there is none.
struct KnownSession: Sendable, CustomTestStringConvertible {
  var title: String
  var session: SessionDescription
  var kind: BackendKind?
  /// A part of the reason, or of the next step.
  var text: String

  var testDescription: String { title }
}

private let wlroots: Set<String> = [
  "wl_compositor", "zwlr_output_manager_v1", "zwlr_foreign_toplevel_manager_v1",
]
private let kwin5: Set<String> = ["wl_compositor", "kde_output_management_v2", "kde_output_device_v2"]
private let kwin67: Set<String> = [
  "wl_compositor", "kde_output_management_v2", "kde_output_device_registry_v2",
]
private let mutter: Set<String> = ["wl_compositor", "gtk_shell1", "zxdg_output_manager_v1"]

private func wayland(
  _ globals: Set<String>, of compositor: (Int32, String)?, x11: SessionDescription.X11 = .none,
  mutterIs mutter: Int32? = nil, muffinIs muffin: Int32? = nil,
  _ variables: KeyValuePairs<String, String> = [:]
) -> SessionDescription {
  var environment = ["WAYLAND_DISPLAY": "wayland-1", "XDG_SESSION_TYPE": "wayland"]
  for (name, value) in variables { environment[name] = value }
  return SessionDescription(
    environment: environment, wayland: .globals(globals),
    compositor: compositor.map { .init(id: $0.0, name: $0.1) }, x11: x11,
    displayConfigOwners: [.gnome: mutter, .cinnamon: muffin].compactMapValues(\.self))
}

private func without(
  wayland: SessionDescription.Wayland = .none, x11: SessionDescription.X11, mutterIs owner: Int32? = nil,
  _ variables: KeyValuePairs<String, String> = [:]
) -> SessionDescription {
  SessionDescription(
    environment: Dictionary(uniqueKeysWithValues: variables.map { ($0.key, $0.value) }), wayland: wayland,
    x11: x11, displayConfigOwners: [.gnome: owner].compactMapValues(\.self))
}

private func session(
  _ title: String, _ session: SessionDescription, _ kind: BackendKind?, _ text: String
) -> KnownSession {
  KnownSession(title: title, session: session, kind: kind, text: text)
}

private let onX11 = [
  session("XFCE", without(x11: .server, ["DISPLAY": ":0", "XDG_SESSION_TYPE": "x11"]), .x11, "X11"),
  session(
    "startx on a tty", without(x11: .server, ["DISPLAY": ":0", "XDG_SESSION_TYPE": "tty"]), .x11, "X11"),
  session(
    "GNOME on X11", without(x11: .server, mutterIs: 900, ["DISPLAY": ":1", "XDG_SESSION_TYPE": "x11"]), .x11,
    "X11"),
  session(
    "i3 with WAYLAND_DISPLAY left over",
    without(
      wayland: .unreachable(Message(.displayUnreachable, "no compositor listens at wayland-0")), x11: .server,
      ["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "x11"]), .x11, "left over"),
  session(
    "a stale DISPLAY",
    without(
      x11: .unreachable(Message(.displayUnreachable, "the X server :7 does not answer")), ["DISPLAY": ":7"]),
    nil,
    ":7 does not answer"),
]

private let onWlroots = [
  session(
    "labwc with XWayland", wayland(wlroots, of: (500, "labwc"), x11: .xWayland), .wlroots, "labwc offers"),
  session(
    "labwc in a window of sway",
    wayland(wlroots, of: (700, "labwc"), ["SWAYSOCK": "/run/user/1000/sway-ipc.1000.500.sock"]), .wlroots,
    "labwc"),
  session("phosh", wayland(wlroots.union(["gtk_shell1"]), of: (500, "phoc")), .wlroots, "phoc"),
  session(
    "COSMIC", wayland(wlroots.union(["zcosmic_output_manager_v1"]), of: (500, "cosmic-comp")), .wlroots,
    "cosmic"),
  session("a compositor in a sandbox", wayland(wlroots, of: nil), .wlroots, "The compositor offers"),
  session(
    "sway",
    wayland(
      wlroots, of: (500, "sway"), x11: .xWayland, ["SWAYSOCK": "/run/user/1000/sway-ipc.1000.500.sock"]),
    .sway, "sway"),
  session(
    "sway under systemd with a stale DISPLAY",
    wayland(
      wlroots, of: (500, "sway"), x11: .unreachable(Message(.displayUnreachable, ":0 does not answer")),
      ["DISPLAY": ":0"]), .sway,
    "sway"),
  session(
    "sway in a window of GNOME", wayland(wlroots, of: (700, "sway"), x11: .xWayland, mutterIs: 500), .sway,
    "sway"),
  session(
    "sway, its process hidden by a sandbox",
    wayland(wlroots, of: nil, ["SWAYSOCK": "/run/user/1000/sway-ipc.1000.500.sock"]), .sway, "sway"),
  session("SwayFX under NixOS's wrapper", wayland(wlroots, of: (500, ".sway-wrapped")), .sway, "sway"),
  session(
    "Hyprland",
    wayland(wlroots, of: (500, "Hyprland"), x11: .xWayland, ["HYPRLAND_INSTANCE_SIGNATURE": "a_1_2"]),
    .hyprland, "Hyprland"),
  session(
    "niri, which mimics Mutter",
    wayland(
      wlroots, of: (500, "niri"), mutterIs: 500, ["NIRI_SOCKET": "/run/user/1000/niri.wayland-1.500.sock"]),
    .niri, "niri"),
  session(
    "niri, its process hidden by a sandbox",
    wayland(wlroots, of: nil, mutterIs: 500, ["NIRI_SOCKET": "/run/user/1000/niri.wayland-1.500.sock"]),
    .niri,
    "niri"),
]

private let onDesktops = [
  session("Plasma 5.27", wayland(kwin5, of: (500, "kwin_wayland"), x11: .xWayland), .kde, "KDE"),
  session("Plasma 6.7", wayland(kwin67, of: (500, "kwin_wayland_wr"), x11: .xWayland), .kde, "KDE"),
  session(
    "GNOME", wayland(mutter, of: (500, "gnome-shell"), x11: .xWayland, mutterIs: 500), .gnome, "Mutter"),
  session("GNOME seen from a sandbox", wayland(mutter, of: nil, mutterIs: 500), .gnome, "Mutter"),
  session(
    "GNOME without its bus", wayland(mutter, of: (500, "gnome-shell")), nil, "DBUS_SESSION_BUS_ADDRESS"),
  session(
    "Cinnamon", wayland(mutter, of: (500, "cinnamon"), x11: .xWayland, muffinIs: 500), .cinnamon,
    "org.cinnamon.Muffin.DisplayConfig"),
  session(
    "Cinnamon in a window of GNOME", wayland(mutter, of: (700, "cinnamon"), mutterIs: 500, muffinIs: 700),
    .cinnamon, "Muffin"),
  session("Cinnamon seen from a sandbox", wayland(mutter, of: nil, muffinIs: 500), .cinnamon, "Muffin"),
  session(
    "Cinnamon without its bus", wayland(mutter, of: (500, "cinnamon")), nil, "DBUS_SESSION_BUS_ADDRESS"),
  session(
    "weston in a window of GNOME", wayland(["wl_compositor"], of: (700, "weston"), mutterIs: 500), nil,
    "weston offers no way"),
  session("cage 0.1", wayland(["wl_compositor"], of: (500, "cage")), nil, "cage offers no way"),
]

private let nowhere = [
  session("a tty", without(x11: .none, ["XDG_SESSION_TYPE": "tty"]), nil, "within the desktop session"),
  session("cron", without(x11: .none), nil, "neither WAYLAND_DISPLAY nor DISPLAY"),
  session(
    "a user unit before the session exported its variables",
    without(x11: .none, ["XDG_SESSION_TYPE": "wayland"]), nil, "dbus-update-activation-environment"),
  session(
    "a user unit that got DISPLAY only",
    without(x11: .xWayland, ["DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"]), nil,
    "WAYLAND_DISPLAY is not set"),
  session("XWayland alone", without(x11: .xWayland, ["DISPLAY": ":0"]), nil, "WAYLAND_DISPLAY is not set"),
  session(
    "XWayland before 24.1, which cannot be recognised",
    without(x11: .server, ["DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"]), nil, "WAYLAND_DISPLAY is not set"
  ),
  session(
    "a compositor that died",
    without(
      wayland: .unreachable(Message(.displayUnreachable, "no compositor listens at wayland-1")),
      x11: .xWayland,
      ["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"]), nil,
    "no compositor listens"),
]

@Suite struct BackendChoiceTests {
  @Test(arguments: onX11 + onWlroots + onDesktops + nowhere)
  func `every session gets its backend`(_ known: KnownSession) {
    switch Result(catching: { () throws(Message) in try known.session.choice() }) {
    case .success(let choice):
      #expect(choice.kind == known.kind)
      #expect(choice.reason.description.contains(known.text))
    case .failure(let error):
      #expect(known.kind == nil)
      #expect(error.description.contains(known.text))
    }
  }

  /// Compositors start Xwayland on demand, which needs 67 MB.
  @Test func `the choice does not start XWayland`() {
    for session in [wayland(wlroots, of: (500, "sway")), wayland(mutter, of: nil)] {
      #expect(!session.mayBeX11)
    }
    let variables: KeyValuePairs = ["XDG_SESSION_TYPE": "wayland", "DISPLAY": ":0"]
    #expect(!without(x11: .none, variables).mayBeX11)
    let busy = without(
      wayland: .unreachable(Message(.displaySilent, "no answer")), x11: .none, ["DISPLAY": ":0"])
    #expect(!busy.mayBeX11)
    #expect(
      without(
        wayland: .unreachable(Message(.displayUnreachable, "a left-over")), x11: .none, ["DISPLAY": ":0"]
      ).mayBeX11)
    #expect(without(x11: .none, ["DISPLAY": ":0"]).mayBeX11)
  }
}
