// SPDX-License-Identifier: MIT

import Autorotation

/// Whether autorotate starts at login, and how to make it start. Used by `doctor`, `setup` and the settings window.
struct SessionStart: Equatable {
  enum Answer: Equatable {
    /// - Parameter path: of what starts autorotate; "FILE:LINE" in the desktop's own configuration.
    case yes(by: Starter, path: String)
    case no
    /// It is not known how this desktop starts programs.
    case unknown
  }

  enum Starter {
    case unit, autostart, line
  }

  /// How to make a program start at login.
  enum Method: Equatable {
    case unit, autostart
    /// By a line that the user adds to the desktop's own configuration; `nil` where its form is not known.
    case line(DesktopLine?)
  }

  /// The targets of systemd's user manager that start programs.
  enum Target: String, CaseIterable {
    case graphicalSession = "graphical-session.target"
    case autostart = "xdg-desktop-autostart.target"
  }

  /// Starts the daemon, which waits for a sensor or a panel that appears after login.
  static let command = ["autorotate", "--wait"]

  /// In lower case.
  var desktops: [String] = []
  /// The paths of a systemd user unit, and of the link that lets it start.
  var unit: String?
  var enabling: String?
  /// The user's own autostart file, and the one that comes with autorotate, where they are not hidden.
  var autostart: String?
  var installedAutostart: String?
  /// The file that hides the autostart file, and the link that disables or masks the unit.
  var hidingAutostart: String?
  var disablingUnit: String?
  /// Whether the mask is not the user's own.
  var isMaskedForAll = false
  var activeTargets: Set<Target> = []
  /// What the desktop's own configuration starts.
  var configured = ConfiguredStart()
  /// The desktop's configuration file: the user's own, or else the system's, which one of the user would replace.
  var ownFile: String?
  var replaceableFile: String?
  /// The user's directory for settings, as a shell command has it.
  var configHome = "~/.config"

  var answer: Answer {
    if isRunBySystemd, enabling != nil, let unit { return .yes(by: .unit, path: unit) }
    if let place = configured.daemon { return .yes(by: .line, path: place) }
    guard let readsAutostart else { return method == .unit ? .no : .unknown }
    guard readsAutostart, let file = autostart ?? usedInstalledAutostart else { return .no }
    return .yes(by: .autostart, path: file)
  }

  /// How to make the daemon start.
  var method: Method { isRunBySystemd && unit != nil ? .unit : methodWithoutUnit }

  /// How to make a program start that has no unit.
  var methodWithoutUnit: Method {
    readsAutostart == true ? .autostart : .line(DesktopLine(desktops, configHome: configHome))
  }

  /// The file with which the user has switched it off.
  var switchedOffBy: String? {
    switch (answer, method) {
    case (.no, .unit): disablingUnit
    case (.no, .autostart): hidingAutostart
    default: nil
    }
  }

  private var isRunBySystemd: Bool { activeTargets.contains(.graphicalSession) }

  /// `nil` if that is not known.
  private var readsAutostart: Bool? {
    if isReader || configured.autostart != nil || activeTargets.contains(.autostart) { return true }
    return DesktopLine(desktops) == nil ? nil : false
  }

  private var isReader: Bool { desktops.contains { Self.readers.contains($0) } }

  /// The file has `X-systemd-skip` and `X-GNOME-HiddenUnderSystemd`.
  private var usedInstalledAutostart: String? {
    let isSkipped =
      isReader
      ? isRunBySystemd && desktops.contains { Self.skippers.contains($0) } : configured.autostart == nil
    return isSkipped ? nil : installedAutostart
  }

  /// Desktops that start what is in the autostart folders.
  private static let readers = skippers.union([
    "xfce", "mate", "lxqt", "lxde", "x-cinnamon", "cinnamon", "deepin", "enlightenment",
  ])
  /// Those that let systemd do it.
  private static let skippers: Set = ["gnome", "unity", "phosh", "kde", "budgie", "pantheon", "cosmic"]

  // MARK: For the user

  /// For doctor.
  var finding: Finding {
    if case .yes(_, let path) = answer { return .works("start", "starts at login, by \(path)") }
    return .notApplicable("start", obstacle ?? "", next: nextStep)
  }

  /// Why it does not start, or why that is not known; `nil` if it starts.
  var obstacle: Phrase? {
    if let switchedOffBy { return "start at login is switched off by \(switchedOffBy)" }
    return switch (answer, method) {
    case (.yes, _): nil
    case (.unknown, _): "it is not known whether this desktop starts autorotate at login"
    case (.no, .unit): "\(unit ?? "") is installed but not enabled"
    case (.no, .autostart): "no autostart file starts autorotate"
    case (.no, .line): "this desktop starts only programs in its own configuration"
    }
  }

  /// How to make the daemon start.
  var nextStep: Phrase {
    if isMaskedForAll, method == .unit {
      return "unmask it for all users with: sudo systemctl --global unmask autorotate"
    }
    if switchedOffBy != nil { return "switch it on again with: autorotate setup --with-session on" }
    return switch method {
    case .unit: "systemctl --user enable --now autorotate"
    case .autostart: "run: autorotate setup"
    case .line(let line): step(Self.command, by: line)
    }
  }

  /// How to start the daemon now, where the user has to do that.
  var stepNow: Phrase? {
    guard case .line(let line?) = method else { return nil }
    return "start it now with: \(line.startingNow(Self.command))"
  }

  /// What the user has to do to start a program at login if autorotate cannot.
  func step(_ command: [String], by line: DesktopLine?) -> Phrase {
    let words = command.joined(separator: " ")
    guard let line else { return "configure your desktop to start this at login: \(words)" }
    guard let replaceableFile else {
      return
        "to start `\(words)` at login, add this line to \(ownFile ?? line.file): \(line.starting(command))"
    }
    return
      "to start `\(words)` at login, copy \(replaceableFile.printable(limit: 1000)), since a file of your own "
      + "replaces it, and add a line: \(line.copying(replaceableFile, starting: command))"
  }
}
