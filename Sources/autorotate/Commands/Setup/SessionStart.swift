// SPDX-License-Identifier: MIT

import Autorotation
import System

/// How autorotate and its tray icon come to start with this session.
enum SessionStart: Equatable {
  /// By the systemd user unit, which is there.
  case unit
  /// By a file in the person's autostart folder.
  case autostart
  /// By a line in the desktop's own settings, where nobody but the person writes; `nil` if it is not known which.
  case line(DesktopLine?)

  /// - Parameter desktop: XDG_CURRENT_DESKTOP.
  init(_ start: ProgramFacts.Start, desktop: String) {
    if start.isRunBySystemd, start.unit != nil {
      self = .unit
    } else {
      self = Self.ofProgram(desktop: desktop)
    }
  }

  /// Of a program that has no unit.
  static func ofProgram(desktop: String) -> Self {
    let names = desktop.split(separator: ":").map { $0.lowercased() }
    return names.contains(where: readers.contains) ? .autostart : .line(DesktopLine(names))
  }

  /// Desktops that start what lies in the autostart folders.
  private static let readers: Set = [
    "gnome", "unity", "phosh", "kde", "xfce", "mate", "lxqt", "lxde", "x-cinnamon", "cinnamon", "budgie",
    "pantheon", "deepin", "cosmic", "enlightenment",
  ]
}

/// Where a desktop without autostart is told what to start, and in which words.
struct DesktopLine: Equatable {
  let file: String
  private let before: String
  private let between: String
  private let after: String

  fileprivate init?(_ desktops: [String]) {
    guard let found = desktops.lazy.compactMap({ Self.all[$0] }).first else { return nil }
    self = found
  }

  private init(_ file: String, _ before: String, between: String = " ", _ after: String = "") {
    self.file = file
    self.before = before
    self.between = between
    self.after = after
  }

  func starting(_ command: [String]) -> String { before + command.joined(separator: between) + after }

  private static let all = [
    "sway": Self("~/.config/sway/config", "exec "),
    "i3": Self("~/.config/i3/config", "exec --no-startup-id "),
    "hyprland": Self("~/.config/hypr/hyprland.conf", "exec-once = "),
    "niri": Self("~/.config/niri/config.kdl", "spawn-at-startup \"", between: "\" \"", "\""),
    "labwc": Self("~/.config/labwc/autostart", "", " &"),
    "openbox": Self("~/.config/openbox/autostart", "", " &"),
  ]
}
