// SPDX-License-Identifier: MIT

import Autorotation

/// A configuration line that starts a program at login, for desktops that read no autostart files.
struct DesktopLine: Equatable {
  /// The file that the user should edit.
  let file: String
  /// The desktop's configuration files. `~` is the home directory, `%` each XDG configuration directory.
  let files: [String]
  /// Whether the desktop reads all of the files, or only the first that exists.
  var readsAll = false
  /// The first words of lines that start a program; `nil` for a shell script.
  var keywords: [String]?
  private var prefix = ""
  private var separator = " "
  private var suffix = ""
  /// The command that starts a program in the running session; `%` is the program with its arguments.
  private var runner = Self.detaching
  private static let detaching = "setsid -f % >/dev/null 2>&1"

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
    // `cp -n` fails in coreutils 9.2 to 9.4 if the file is there.
    return "mkdir -p \(directory) && { [ -e \(file) ] || cp -- \(template.asArgument) \(file); } "
      + "&& ! grep -qxF \(line) \(file) && echo \(line) >> \(file)"
  }

  private static let all = [
    "sway": Self(
      file: "~/.config/sway/config",
      files: ["~/.sway/config", "%/sway/config", "~/.i3/config", "%/i3/config", "/etc/sway/config"],
      keywords: ["exec", "exec_always"], prefix: "exec ", runner: "swaymsg exec '%'"),
    "i3": Self(
      file: "~/.config/i3/config", files: ["%/i3/config", "~/.i3/config", "/etc/i3/config"],
      keywords: ["exec", "exec_always"], prefix: "exec --no-startup-id ", runner: "i3-msg exec '%'"),
    "hyprland": Self(
      file: "~/.config/hypr/hyprland.conf", files: ["%/hypr/hyprland.conf", "/usr/share/hypr/hyprland.conf"],
      keywords: ["exec-once", "exec"], prefix: "exec-once = ", runner: "hyprctl dispatch exec '%'"),
    "niri": Self(
      file: "~/.config/niri/config.kdl", files: ["%/niri/config.kdl", "/etc/niri/config.kdl"],
      keywords: ["spawn-at-startup", "spawn-sh-at-startup"], prefix: "spawn-at-startup \"",
      separator: "\" \"", suffix: "\"", runner: "niri msg action spawn -- %"),
    "labwc": Self(file: "~/.config/labwc/autostart", files: ["%/labwc/autostart"], suffix: " &"),
    "openbox-session": Self(
      file: "~/.config/openbox/autostart", files: ["%/openbox/autostart"], readsAll: true, suffix: " &"),
    // Without openbox-session it starts nothing itself.
    "openbox": Self(file: "~/.xinitrc", files: ["~/.xinitrc", "~/.xsession"], readsAll: true, suffix: " &"),
  ]
}

extension DesktopLine {
  init?(_ desktops: [String]) {
    guard let found = desktops.lazy.compactMap({ Self.all[$0] }).first else { return nil }
    self = found
  }
}
