// SPDX-License-Identifier: MIT

import Autorotation
import System

extension SessionStart {
  @MainActor
  static func gather() -> Self {
    let manager = (try? Bus(.session)).map { UserManager(bus: $0) }
    let active = Target.allCases.filter { manager?.isActive($0.rawValue) == true }
    return gather(Environment.variable, targets: Set(active), commandLines: RunningProcess.ownCommandLines)
  }

  /// - Parameters:
  ///   - variable: looks up an environment variable.
  ///   - targets: the targets of systemd's user manager that are active.
  ///   - commandLines: of the user's processes.
  ///   - root: a directory that replaces /.
  static func gather(
    _ variable: (String) -> String?, targets: Set<Target> = [], commandLines: [[String]] = [],
    root: String = ""
  ) -> Self {
    let directories = BaseDirectories(variable)
    let desktops = desktops(variable, commandLines)
    let unit = installedUnit(variable, root: root)
    let masks = [unit].compactMap(\.self).filter(isNothing)
    let links = masks.isEmpty ? effectiveLinks(in: unitFolders(directories, root)) : masks
    func autostart(_ name: String) -> String? {
      directories.config.map { "\($0)/autostart/\(name)" }.first(where: SystemFile.exists)
    }
    let (own, installed) = (autostart("autorotate.desktop"), autostart(AutostartFile.packaged))
    var start = Self(
      desktops: desktops, unit: unit, enabling: links.first { !isNothing($0) },
      autostart: own.flatMap(ifStarted), installedAutostart: installed.flatMap(ifStarted),
      hidingAutostart: [installed, own].compactMap(\.self).first { ifStarted($0) == nil },
      disablingUnit: links.first(where: isNothing),
      isMaskedForAll: masks.contains { !$0.hasPrefix(directories.configHome ?? "/") }, activeTargets: targets)
    if let folder = directories.configHome { start.configHome = shown(folder, home: variable("HOME")) }
    start.readConfiguration(variable, commandLines, root)
    return start
  }

  /// With `~` for the home directory, unless the rest needs quotes.
  private static func shown(_ folder: String, home: String?) -> String {
    guard let home, folder.hasPrefix("\(home)/") else { return folder.printable(limit: 1000) }
    let rest = String(folder.dropFirst(home.count))
    return rest.asArgument == rest ? "~" + rest : folder.printable(limit: 1000)
  }

  /// The path of the systemd user unit.
  static func installedUnit(_ variable: (String) -> String? = Environment.variable, root: String = "")
    -> String?
  {
    unitFolders(BaseDirectories(variable), root).map { "\($0)/autorotate.service" }
      .first(where: SystemFile.exists)
  }

  /// Whether this is a link to /dev/null.
  static func isNothing(_ path: String) -> Bool { SystemFile.realPath(path) == "/dev/null" }

  /// Of two files of one name the first takes effect; it may exist only to hide the other.
  private static func ifStarted(_ path: String) -> String? {
    let text = SystemFile.text(of: path, maximumBytes: 65_536) ?? ""
    return DesktopEntryLines(Array(text.utf8)).isStarted ? path : nil
  }

  // MARK: systemd

  private static func unitFolders(_ directories: BaseDirectories, _ root: String) -> [String] {
    directories.config.map { "\($0)/systemd/user" } + ["\(root)/etc/systemd/user"]
      + directories.data.map { "\($0)/systemd/user" }
      + ["\(root)/usr/local/lib/systemd/user", "\(root)/usr/lib/systemd/user"]
  }

  /// The links to our unit in the .wants folders of all targets. Of links of one name the first takes effect.
  private static func effectiveLinks(in units: [String]) -> [String] {
    let links = units.flatMap { folder in
      let targets = SystemFile.names(in: folder).filter { $0.hasSuffix(".wants") }
      return targets.map { ($0, "\(folder)/\($0)/autorotate.service") }
    }
    return Dictionary(links.filter { SystemFile.exists($1) }) { first, _ in first }.values.sorted()
  }

  // MARK: The desktop

  /// Login managers set these variables, `startx` does not.
  static func desktops(_ variable: (String) -> String?, _ commandLines: [[String]] = []) -> [String] {
    func list(_ name: String) -> [String] {
      (variable(name) ?? "").split(separator: ":").map { $0.lowercased() }
    }
    // Set by window managers for their child processes.
    let marks = [
      (variable("SWAYSOCK"), "sway"), (variable("I3SOCK"), "i3"),
      (variable("HYPRLAND_INSTANCE_SIGNATURE"), "hyprland"), (variable("NIRI_SOCKET"), "niri"),
      (variable("LABWC_PID"), "labwc"),
    ]
    let sources = [
      list("XDG_CURRENT_DESKTOP"), marks.first { $0.0 != nil }.map { [$0.1] } ?? [],
      list("XDG_SESSION_DESKTOP"), list("DESKTOP_SESSION"),
      commandLine(of: "openbox", in: commandLines) == nil ? [] : ["openbox"],
    ]
    let found = sources.first { !$0.isEmpty } ?? []
    return found.map { $0 == "openbox" && isOpenboxSession(commandLines) ? "openbox-session" : $0 }
  }

  private static func commandLine(of program: String, in commandLines: [[String]]) -> [String]? {
    commandLines.first { $0.first?.split(separator: "/").last?.lowercased() == program }
  }

  /// `openbox-session` becomes `openbox --startup "…/openbox-autostart OPENBOX"`. Plain `openbox` starts nothing.
  private static func isOpenboxSession(_ commandLines: [[String]]) -> Bool {
    commandLine(of: "openbox", in: commandLines)?.contains { $0.contains("openbox-autostart") } == true
  }

  private mutating func readConfiguration(
    _ variable: (String) -> String?, _ commandLines: [[String]], _ root: String
  ) {
    guard let line = DesktopLine(desktops) else { return }
    let home = variable("HOME") ?? ""
    let programs = ProgramSearch(variable)
    let running = desktops.lazy.compactMap { Self.commandLine(of: $0, in: commandLines) }.first ?? []
    let named = Self.namedFile(running)
    let files = named.map { [$0] } ?? Self.existing(line, home, BaseDirectories(variable).config, root)
    configured = ConfiguredStart(line, files: files, home: home, programs: programs)
    if desktops.contains("openbox-session"), configured.autostart == nil {
      configured.autostart = Self.openboxAutostart(programs, root)
    }
    let merges = line.readsAll || running.contains { ["-m", "--merge-config"].contains($0) }
    if !merges, let file = files.first { noteFile(file, isNamed: named != nil, variable, root) }
  }

  private mutating func noteFile(
    _ file: String, isNamed: Bool, _ variable: (String) -> String?, _ root: String
  ) {
    func isBelow(_ directory: String?) -> Bool { directory.map { file.hasPrefix("\($0)/") } ?? false }
    let home = variable("HOME") ?? ""
    let isOwn = isBelow(home) || isBelow(BaseDirectories(variable).configHome)
    // No file of the user replaces one that the command line names.
    guard isNamed || isOwn && !isBelow("\(root)/etc") && !isBelow("\(root)/usr") else {
      return replaceableFile = file
    }
    ownFile = (file.hasPrefix("\(home)/") ? "~" + file.dropFirst(home.count) : file).printable(limit: 1000)
  }

  private static func existing(
    _ line: DesktopLine, _ home: String, _ config: [String], _ root: String
  ) -> [String] {
    let candidates = line.files.flatMap { file in
      switch file.first {
      case "~": [home + file.dropFirst()]
      case "%": config.map { $0 + file.dropFirst() }
      default: [root + file]
      }
    }
    let existing = candidates.filter(SystemFile.exists)
    return line.readsAll ? existing : Array(existing.prefix(1))
  }

  /// The configuration file that the compositor's command line names.
  private static func namedFile(_ commandLine: [String]) -> String? {
    for (option, value) in zip(commandLine, commandLine.dropFirst()) {
      if ["-c", "--config"].contains(option) { return value }
      if ["-C", "--config-dir"].contains(option) { return "\(value)/autostart" }
    }
    return commandLine.first { $0.hasPrefix("--config=") }.map { String($0.dropFirst("--config=".count)) }
  }

  /// The program with which openbox-session runs the autostart files; its own one needs PyXDG.
  private static func openboxAutostart(_ programs: ProgramSearch, _ root: String) -> String? {
    if let path = programs.path(of: "xdg-autostart") { return path }
    let hasPyXDG = !ConfiguredStart.expanded("\(root)/usr/lib/python3*/*-packages/xdg").isEmpty
    return hasPyXDG ? "openbox-xdg-autostart" : nil
  }
}
