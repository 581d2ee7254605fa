// SPDX-License-Identifier: MIT

/// The desktops that there is a backend for.
nonisolated package enum BackendKind: String, CaseIterable, Sendable {
  case x11
  /// Any compositor with wlr-output-management: labwc, wayfire, phoc, river, cage, COSMIC.
  case wlroots
  case sway, hyprland, niri, kde, gnome
  /// None: it prints what it would do.
  case print
}
