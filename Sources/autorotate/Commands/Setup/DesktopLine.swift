// SPDX-License-Identifier: MIT

import Autorotation

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
  private let prefix: String
  private let separator: String
  private let suffix: String
  /// The command that starts a program in the running session; `%` is the program with its arguments.
  private let runner: String
  private static let detaching = "setsid -f % >/dev/null 2>&1"

  init?(_ desktops: [String]) {
    guard let found = desktops.lazy.compactMap({ Self.all[$0] }).first else { return nil }
    self = found
  }

  private init(
    _ file: String, files: [String], readsAll: Bool = false, _ keywords: [String]?, _ prefix: String,
    separator: String = " ", _ suffix: String = "", runner: String = detaching
  ) {
    self.file = file
    self.files = files
    self.readsAll = readsAll
    self.keywords = keywords
    self.prefix = prefix
    self.separator = separator
    self.suffix = suffix
    self.runner = runner
  }

  func starting(_ command: [String]) -> String { prefix + command.joined(separator: separator) + suffix }

  /// A command that starts a program now, which then outlives the terminal.
  func startingNow(_ command: [String]) -> String { Self.startingNow(command, by: runner) }

  /// The same on any desktop.
  static func startingNow(_ command: [String], on desktops: [String]) -> String {
    startingNow(command, by: Self(desktops)?.runner ?? detaching)
  }

  private static func startingNow(_ command: [String], by runner: String) -> String {
    runner.replacing("%", with: command.joined(separator: " "))
  }

  /// A command that copies the desktop's own file for the user, and adds a line that starts a program, unless the
  /// line is there.
  func copying(_ template: String, starting command: [String]) -> String {
    let directory = file.split(separator: "/").dropLast().joined(separator: "/")
    let line = "'\(starting(command))'"
    return "mkdir -p \(directory) && cp -n -- \(template.asArgument) \(file) && ! grep -qxF \(line) \(file) "
      + "&& echo \(line) >> \(file)"
  }

  private static let all = [
    "sway": Self(
      "~/.config/sway/config",
      files: ["~/.sway/config", "%/sway/config", "~/.i3/config", "%/i3/config", "/etc/sway/config"],
      ["exec", "exec_always"], "exec ", runner: "swaymsg exec '%'"),
    "i3": Self(
      "~/.config/i3/config", files: ["%/i3/config", "~/.i3/config", "/etc/i3/config"],
      ["exec", "exec_always"], "exec --no-startup-id ", runner: "i3-msg exec '%'"),
    "hyprland": Self(
      "~/.config/hypr/hyprland.conf", files: ["%/hypr/hyprland.conf", "/usr/share/hypr/hyprland.conf"],
      ["exec-once", "exec"], "exec-once = ", runner: "hyprctl dispatch exec '%'"),
    "niri": Self(
      "~/.config/niri/config.kdl", files: ["%/niri/config.kdl", "/etc/niri/config.kdl"],
      ["spawn-at-startup", "spawn-sh-at-startup"], "spawn-at-startup \"", separator: "\" \"", "\"",
      runner: "niri msg action spawn -- %"),
    "labwc": Self("~/.config/labwc/autostart", files: ["%/labwc/autostart"], nil, "", " &"),
    "openbox-session": Self(
      "~/.config/openbox/autostart", files: ["%/openbox/autostart"], readsAll: true, nil, "", " &"),
    // Without openbox-session it starts nothing itself.
    "openbox": Self("~/.xinitrc", files: ["~/.xinitrc", "~/.xsession"], readsAll: true, nil, "", " &"),
  ]
}
