// SPDX-License-Identifier: MIT

package import System

/// Extensions of GNOME Shell that rotate the screen.
nonisolated package enum GNOMEExtensions {
  private static let known = [
    "screen-rotate@shyzus.github.io", "screen-autorotate@kosmospredanie.yandex.ru", "touchup@mityax",
  ]

  /// The enabled ones, if GNOME Shell runs. Blocks.
  /// - Parameter bus: the session bus.
  @MainActor
  package static func rotating(on bus: Bus, program: String = "gsettings") -> [String] {
    guard (try? bus.callAndWait(.driver, "GetNameOwner", [.string("org.gnome.Shell")])) != nil,
      let loop = try? EventLoop(),
      let enabled = SettingsProgram(program, loop: loop).readAndWait([
        "get", "org.gnome.shell", "enabled-extensions",
      ])
    else { return [] }
    return known.filter { enabled.contains("'\($0)'") }
  }
}
