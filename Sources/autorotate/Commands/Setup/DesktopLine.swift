// SPDX-License-Identifier: MIT

/// A configuration line that starts a program at login, for desktops that read no autostart files.
struct DesktopLine: Equatable {
  /// The file that the user should edit.
  let file: String
  /// The desktop's configuration files. `~` is the home directory, `%` each XDG configuration directory.
  let files: [String]
  /// Whether the desktop reads all of the files, or only the first that exists.
  let readsAll: Bool
  /// The first words of lines that start a program; `nil` for a shell script.
  let keywords: [String]?
  private let before: String
  private let between: String
  private let after: String

  init?(_ desktops: [String]) {
    guard let found = desktops.lazy.compactMap({ Self.all[$0] }).first else { return nil }
    self = found
  }

  private init(
    _ file: String, files: [String], readsAll: Bool = false, _ keywords: [String]?, _ before: String,
    between: String = " ", _ after: String = ""
  ) {
    self.file = file
    self.files = files
    self.readsAll = readsAll
    self.keywords = keywords
    self.before = before
    self.between = between
    self.after = after
  }

  func starting(_ command: [String]) -> String { before + command.joined(separator: between) + after }

  private static let all = [
    "sway": Self(
      "~/.config/sway/config",
      files: ["~/.sway/config", "%/sway/config", "~/.i3/config", "%/i3/config", "/etc/sway/config"],
      ["exec", "exec_always"], "exec "),
    "i3": Self(
      "~/.config/i3/config", files: ["%/i3/config", "~/.i3/config", "/etc/i3/config"],
      ["exec", "exec_always"], "exec --no-startup-id "),
    "hyprland": Self(
      "~/.config/hypr/hyprland.conf", files: ["%/hypr/hyprland.conf"], ["exec-once", "exec"], "exec-once = "),
    "niri": Self(
      "~/.config/niri/config.kdl", files: ["%/niri/config.kdl", "/etc/niri/config.kdl"],
      ["spawn-at-startup", "spawn-sh-at-startup"], "spawn-at-startup \"", between: "\" \"", "\""),
    "labwc": Self("~/.config/labwc/autostart", files: ["%/labwc/autostart"], nil, "", " &"),
    "openbox-session": Self(
      "~/.config/openbox/autostart", files: ["%/openbox/autostart"], readsAll: true, nil, "", " &"),
    // Without openbox-session it starts nothing itself.
    "openbox": Self("~/.xinitrc", files: ["~/.xinitrc", "~/.xsession"], readsAll: true, nil, "", " &"),
  ]
}
