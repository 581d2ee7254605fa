// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Language
import System

extension ProgramFacts.ConflictingProgram {
  /// Known programs that rotate the screen. monitor-sensor rotates nothing, but rotation scripts read its output.
  private static let programs = [
    "rot8", "iio-hyprland", "iio-niri", "iio-sway", "screenrotator", "2in1screen", "csd-orientation",
    "tablet-auto-rotate", "cosmic-applet-rotation", "monitor-sensor",
  ]
  /// The kernel truncates a process's name to this length.
  private static let maximumNameLength = 15

  private static let mutter = MutterDesktop.gnome.displayConfig

  @MainActor
  static func gather() -> [Self] {
    let wayfire =
      Environment.variable("WAYFIRE_CONFIG_FILE") ?? BaseDirectories().configHome.map { "\($0)/wayfire.ini" }
    return known(
      among: RunningProcess.all, wayfire: wayfire.flatMap { SystemFile.text(of: $0, maximumBytes: 1 << 20) })
      + [gnome].compactMap(\.self) + shells
  }

  /// - Parameter wayfire: the text of wayfire's configuration.
  static func known(among processes: [RunningProcess], wayfire: String?) -> [Self] {
    let names = Set(programs.map { String($0.prefix(maximumNameLength)) })
    let running = processes.filter { names.contains($0.name) }.map { process in
      Self(name: process.name, process: process.id, remedy: localized("stop it with: kill \(process.id)"))
    }
    let isWayfire = processes.contains { $0.name == "wayfire" }
    return running + (isWayfire && wayfire?.loadsAutorotate == true ? [plugin] : [])
  }

  private static var plugin: Self {
    Self(
      name: "autorotate-iio", process: nil,
      remedy: localized("remove autorotate-iio from the plugins in wayfire.ini, or use it instead"))
  }

  /// Desktops whose shell rotates the screen while its rotation lock is off.
  @MainActor
  private static var shells: [Self] {
    guard let bus = try? Bus(.session) else { return [] }
    let extensions = GNOMEExtensions.rotating(on: bus).map { name in
      Self(
        name: name, process: nil, remedy: localized("disable it with: gnome-extensions disable \(name)"))
    }
    return extensions
      + RotatingShell.rotating(on: bus).map { shell in
        Self(
          name: shell.name, process: nil,
          remedy: localized("turn on the rotation lock of \(shell.name), or use it instead of autorotate"))
      }
  }

  /// GNOME rotates the panel while `PanelOrientationManaged` is true.
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
      remedy: localized("lock its rotation in the quick settings, or use it instead of autorotate"))
  }
}

extension String {
  /// Whether the line "plugins = …" of a wayfire.ini, which a backslash may continue, names the plugin.
  fileprivate var loadsAutorotate: Bool {
    replacing("\\\n", with: " ").split(separator: "\n").contains { line in
      let parts = line.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0].split(separator: " ") == ["plugins"]
        && parts[1].split(whereSeparator: \.isWhitespace).contains("autorotate-iio")
    }
  }
}
