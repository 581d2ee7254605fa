// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import System

/// Other programs that rotate the screen.
enum ConflictingPrograms {
  /// monitor-sensor rotates nothing, but rotation scripts read its output.
  private static let known = [
    "rot8", "iio-hyprland", "iio-niri", "iio-sway", "screenrotator", "2in1screen", "csd-orientation",
    "tablet-auto-rotate", "cosmic-applet-rotation", "monitor-sensor",
  ]
  /// The kernel truncates a process's name to this length.
  private static let maximumNameLength = 15

  @MainActor
  static var findings: [Finding] {
    let wayfire =
      Environment.variable("WAYFIRE_CONFIG_FILE") ?? BaseDirectories().configHome.map { "\($0)/wayfire.ini" }
    let found =
      findings(
        among: RunningProcess.all, wayfire: wayfire.flatMap { SystemFile.text(of: $0, maximumBytes: 1 << 20) }
      )
      + ((try? Bus(.session)).map(shells) ?? [])
    return found.isEmpty ? [.works("conflicting programs", "none found")] : found
  }

  /// - Parameter wayfire: the text of wayfire's configuration.
  static func findings(among processes: [RunningProcess], wayfire: String?) -> [Finding] {
    let names = Set(known.map { String($0.prefix(maximumNameLength)) })
    let running = processes.filter { names.contains($0.name) }.map { process in
      finding(process.name, process: process.id, next: "stop it with: kill \(process.id)")
    }
    guard processes.contains(where: { $0.name == "wayfire" }), wayfire?.loadsAutorotate == true else {
      return running
    }
    let plugin = finding(
      "autorotate-iio", next: "remove autorotate-iio from the plugins in wayfire.ini, or use it instead")
    return running + [plugin]
  }

  private static func finding(_ program: String, process: Int32? = nil, next: Phrase) -> Finding {
    let process: Phrase = process.map { " (process \($0))" } ?? ""
    return .broken(
      "conflicting programs", .conflictingProgram, "\(program)\(process) also rotates the screen", next: next)
  }

  /// Extensions of GNOME's, and shells that rotate the screen while their rotation lock is off. What GNOME itself does
  /// is the finding "rotation by the desktop".
  @MainActor
  private static func shells(on bus: Bus) -> [Finding] {
    GNOMEExtensions.rotating(on: bus).map {
      finding($0, next: "disable it with: gnome-extensions disable \($0)")
    }
      + RotatingShell.rotating(on: bus).map {
        finding($0.name, next: "turn on the rotation lock of \($0.name), or use it instead of autorotate")
      }
  }
}

extension String {
  /// Whether the line "plugins = …" of a wayfire.ini, which a backslash may continue, names the plugin.
  fileprivate var loadsAutorotate: Bool {
    replacing("\r\n", with: "\n").replacing("\\\n", with: " ").split(separator: "\n").contains { line in
      let parts = line.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0].split(separator: " ") == ["plugins"]
        && parts[1].split(whereSeparator: \.isWhitespace).contains("autorotate-iio")
    }
  }
}
