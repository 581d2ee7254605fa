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
      lacksShippedRules: !configuration.settings.rules.contains { $0.layer == .shipped },
      missingKeyboard: configuration.machine.missingKeyboard(), daemon: Daemon.gather(),
      diagnostics: configuration.diagnostics, start: SessionStart.gather())
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

  /// Of this user's processes, word by word. One without our XDG_RUNTIME_DIR is of another session.
  static var ownCommandLines: [[String]] {
    let runtime = Environment.variable("XDG_RUNTIME_DIR").map { "XDG_RUNTIME_DIR=\($0)" }
    return SystemFile.names(in: "/proc").sorted().compactMap { entry in
      guard Int32(entry) != nil, let variables = words(of: "/proc/\(entry)/environ"),
        runtime.map(variables.contains) ?? true
      else { return nil }
      return words(of: "/proc/\(entry)/cmdline")
    }
  }

  /// `nil` for a process of another user.
  private static func words(of path: String) -> [String]? {
    SystemFile.text(of: path, mostBytes: 65536)?.split(separator: "\0").map(String.init)
  }
}
