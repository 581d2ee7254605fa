// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// A configuration line that starts a program at login, for desktops that read no autostart files.
struct DesktopLine: Equatable {
  /// The file that the user should edit.
  private(set) var file: String
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
  private var runner = "setsid -f % >/dev/null 2>&1"

  func starting(_ command: [String]) -> String { prefix + command.joined(separator: separator) + suffix }

  /// A command that starts a program now, which then outlives the terminal.
  func startingNow(_ command: [String]) -> String {
    runner.replacing("%", with: command.joined(separator: " "))
  }

  /// The same on any desktop.
  static func startingNow(_ command: [String], on desktops: [String]) -> String {
    (Self(desktops) ?? Self(file: "", files: [])).startingNow(command)
  }

  /// A command that copies the desktop's own file for the user, and adds a line that starts a program, unless the
  /// line is there.
  func copying(_ template: String, starting command: [String]) -> String {
    // Quoted, `~` would not be the home directory.
    let quoted = { (path: String) in path.hasPrefix("~") ? path : path.asArgument }
    let directory = quoted(
      file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
    let path = quoted(file)
    let line = "'\(starting(command))'"
    // `cp -n` fails in coreutils 9.2 to 9.4 if the file is there.
    return "mkdir -p \(directory) && { [ -e \(path) ] || cp -- \(template.asArgument) \(path); } "
      + "&& ! grep -qxF \(line) \(path) && echo \(line) >> \(path)"
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
  /// - Parameter configHome: the user's directory for settings.
  init?(_ desktops: [String], configHome: String = "~/.config") {
    guard let found = desktops.lazy.compactMap({ Self.all[$0] }).first else { return nil }
    self = found
    file = found.file.replacing("~/.config/", with: "\(configHome)/")
  }
}

/// The lines of a desktop's own configuration that start programs, as "FILE:LINE".
struct ConfiguredStart: Equatable {
  /// Starts autorotate.
  var daemon: String?
  /// Starts a program that runs the files in the autostart folders.
  var autostart: String?
  private(set) var filesRead = 0
}

extension ConfiguredStart {
  private static let maximumBytes = 256 * 1024
  /// A limit for files that include each other.
  private static let deepest = 4
  private static let maximumFiles = 100

  /// - Parameters:
  ///   - files: of the desktop's configuration.
  ///   - home: replaces `~`.
  init(_ line: DesktopLine, files: [String], home: String, programs: ProgramSearch) {
    for file in files { read(file, line, home, programs, depth: 0) }
  }

  private mutating func read(
    _ path: String, _ line: DesktopLine, _ home: String, _ programs: ProgramSearch, depth: Int
  ) {
    guard depth < Self.deepest, filesRead < Self.maximumFiles else { return }
    filesRead += 1
    guard
      let text = SystemFile.text(of: path, maximumBytes: Self.maximumBytes, onlyFiles: true)
    else { return }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, content) in zip(1..., lines) {
      let words = Self.words(content)
      guard let first = words.first else { continue }
      if let keywords = line.keywords {
        for included in Self.included(words, from: path, home) {
          read(included, line, home, programs, depth: depth + 1)
        }
        guard keywords.contains(first) else { continue }
      }
      note(words, at: "\(path.printable(limit: 1000)):\(number)", programs)
    }
  }

  private mutating func note(_ words: [String], at place: String, _ programs: ProgramSearch) {
    let commands = words.split { [";", "&", "|"].contains($0) }.map { $0.map(Self.program) }
    if daemon == nil, commands.contains(where: Self.startsDaemon) { daemon = place }
    if autostart == nil, commands.contains(where: { Self.startsAutostart($0, programs) }) {
      autostart = place
    }
  }

  /// Without quotes, the `=` after a key and a comment: from a word that begins with `#` or, in niri's, `//`.
  private static func words(_ line: Substring) -> [String] {
    var spaced = ""
    var isWordStart = true
    for character in line {
      if isWordStart, character == "#" { break }
      isWordStart = character.isWhitespace
      switch character {
      case "\"", "'", "=", ",": spaced.append(" ")
      case ";", "&", "|": spaced.append(" \(character) ")
      default: spaced.append(character)
      }
    }
    return spaced.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("//") }.map(String.init)
  }

  /// The last part of a path.
  private static func program(_ word: String) -> String {
    word.hasPrefix("/") || word.hasPrefix("~")
      ? word.split(separator: "/").last.map(String.init) ?? word : word
  }

  /// Commands that name autorotate without starting it.
  private static let others: Set = ["pkill", "killall", "kill", "pgrep", "pidof", "which", "command"]
  /// What may follow the name where it starts the daemon.
  private static let options: Set = [
    "daemon", "--wait", "--unless-running", "--sensor", "--backend", "--output", "--panel-mount",
  ]

  private static func startsDaemon(_ words: [String]) -> Bool {
    guard let place = words.firstIndex(where: { ["autorotate", "autorotate.service"].contains($0) }),
      others.isDisjoint(with: words[..<place])
    else { return false }
    let next = words[(place + 1)...].first
    return next.map { options.contains($0) || $0.contains(">") || $0 == "}" } ?? true
  }

  private static func startsAutostart(_ words: [String], _ programs: ProgramSearch) -> Bool {
    guard let place = words.firstIndex(where: { launchers.contains($0) }),
      programs.path(of: words[place]) != nil
    else { return false }
    guard words[place].hasPrefix("dex") else { return true }
    return words[(place + 1)...].contains { word in
      word == "--autostart" || word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("a")
    }
  }

  /// Programs that run the files in the autostart folders.
  private static let launchers: Set = ["dex", "dex-autostart", "fbautostart", "xdg-autostart"]

  /// The files that a line includes: `include` of i3, sway and niri, `source` of Hyprland.
  private static func included(_ words: [String], from path: String, _ home: String) -> [String] {
    guard words.count >= 2, ["include", "source"].contains(words[0]) else { return [] }
    let named = words[1].hasPrefix("~") ? home + words[1].dropFirst() : words[1]
    return expanded(named.hasPrefix("/") ? named : SystemFile.split(path).directory + named)
  }

  static func expanded(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
