// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import System

extension ProgramFacts {
  @MainActor
  static func gather(_ configuration: Configuration) -> Self {
    Self(
      rivals: Rival.gather(), sparedKeyboards: sparedKeyboards(configuration),
      missingKeyboard: configuration.machine.missingKeyboard(), daemon: Daemon.gather(),
      diagnostics: configuration.diagnostics,
      start: Start.gather(isRunBySystemd: Start.isSessionOfSystemd))
  }
}

extension ProgramFacts {
  private static func sparedKeyboards(_ configuration: Configuration) -> [String] {
    let machine = configuration.machine
    guard machine.disablesInput else { return [] }
    return RemappedKeyboards.spared(by: DisabledInput(names: machine.disabledDevices))
  }
}

extension ProgramFacts.Daemon {
  @MainActor
  fileprivate static func gather() -> Self {
    do {
      return .running(try ControlClient().status())
    } catch {
      return .silent(error)
    }
  }
}

extension ProgramFacts.Rival {
  /// Known programs that turn the picture, by the name of their process as the kernel keeps it.
  private static let programs = [
    "rot8", "iio-hyprland", "iio-niri", "iio-sway", "screenrotator", "2in1screen", "csd-orientation",
  ]

  private static let mutter = BusTarget(
    service: "org.gnome.Mutter.DisplayConfig", path: "/org/gnome/Mutter/DisplayConfig",
    interface: "org.gnome.Mutter.DisplayConfig")

  @MainActor
  fileprivate static func gather() -> [Self] {
    RunningProcess.all.filter { programs.contains($0.name) }.map { process in
      Self(name: process.name, process: process.id, remedy: localized("end it with: kill \(process.id)"))
    } + [gnome].compactMap(\.self) + shells
  }

  /// Desktops whose shell turns the picture while its lock is off.
  @MainActor
  private static var shells: [Self] {
    guard let bus = try? Bus(.session) else { return [] }
    return TurningShell.turning(on: bus).map { shell in
      Self(
        name: shell.name, process: nil,
        remedy: localized("switch the orientation lock of \(shell.name) on, or use it instead"))
    }
  }

  /// GNOME turns the panel by itself while this is true.
  @MainActor
  private static var gnome: Self? {
    let question: [Value] = [.string(mutter.interface), .string("PanelOrientationManaged")]
    guard let bus = try? Bus(.session),
      let answer = try? bus.callAndWait(
        mutter.properties, "Get", question, timeout: .seconds(3), startsService: false),
      (try? answer.read(0, as: Bool.self)) == true
    else { return nil }
    return Self(
      name: "GNOME", process: nil,
      remedy: localized("lock its rotation in the quick settings, or use it instead"))
  }
}

/// A process as /proc shows it.
struct RunningProcess {
  let id: Int32
  /// At most 15 characters of the program's name.
  let name: String

  static var all: [Self] {
    SystemFile.names(in: "/proc").sorted().compactMap { entry in
      guard let id = Int32(entry), let name = SystemFile.line(of: "/proc/\(entry)/comm") else { return nil }
      return Self(id: id, name: name)
    }
  }
}

extension ProgramFacts.Start {
  /// - Parameters:
  ///   - environment: looks a variable up.
  ///   - isRunBySystemd: whether systemd runs the session.
  static func gather(
    _ environment: (String) -> String? = Environment.variable, isRunBySystemd: Bool = false
  ) -> Self {
    let directories = BaseDirectories(environment)
    let units =
      directories.config.map { "\($0)/systemd/user" } + ["/etc/systemd/user"]
      + directories.data.map { "\($0)/systemd/user" } + [
        "/usr/local/lib/systemd/user", "/usr/lib/systemd/user",
      ]
    func autostart(_ name: String) -> String? {
      directories.config.map { "\($0)/autostart/\(name)" }.first(where: isThere).flatMap(ifStarted)
    }
    return Self(
      unit: units.map { "\($0)/autorotate.service" }.first(where: isThere),
      enabling: wishes(in: units), autostart: autostart("autorotate.desktop"),
      installedAutostart: autostart("org.autorotate.Autorotate.desktop"), isRunBySystemd: isRunBySystemd)
  }

  private static let sessionTarget = BusTarget(
    service: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1/unit/graphical_2dsession_2etarget",
    interface: "org.freedesktop.systemd1.Unit")

  /// Whether systemd's user manager has begun a graphical session.
  @MainActor
  static var isSessionOfSystemd: Bool {
    let question: [Value] = [.string(sessionTarget.interface), .string("ActiveState")]
    let answer = try? Bus(.session).callAndWait(
      sessionTarget.properties, "Get", question, timeout: .seconds(3), startsService: false)
    return (try? answer?.read(0, as: String.self)) == "active"
  }

  private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Of two files of one name the first counts, which may be there only to hide the other.
  private static func ifStarted(_ path: String) -> String? {
    let lines = (SystemFile.text(of: path) ?? "").split(separator: "\n")
    return lines.contains("Hidden=true") ? nil : path
  }

  /// The link by which a target wants our unit: of links of one name the first counts.
  private static func wishes(in units: [String]) -> String? {
    let links = units.flatMap { folder in
      SystemFile.names(in: folder).sorted().filter { $0.hasSuffix(".wants") }.map {
        (target: $0, folder: folder)
      }
    }
    var first: [String: String] = [:]
    for link in links {
      let path = "\(link.folder)/\(link.target)/autorotate.service"
      if first[link.target] == nil, isThere(path) { first[link.target] = path }
    }
    return first.values.sorted().first { !isNothing($0) }
  }

  /// Whether this is a link to /dev/null.
  static func isNothing(_ path: String) -> Bool {
    guard let end = realpath(path, nil) else { return false }
    defer { free(end) }
    return String(cString: end) == "/dev/null"
  }
}
