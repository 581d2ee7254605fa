// SPDX-License-Identifier: MIT

package import System

/// Extensions of GNOME Shell that turn the picture.
nonisolated package enum GNOMEExtensions {
  private static let known = [
    "screen-rotate@shyzus.github.io", "screen-autorotate@kosmospredanie.yandex.ru", "touchup@mityax",
  ]

  /// Those that are enabled, if GNOME Shell runs. Waits for what it asks.
  /// - Parameter bus: the session's.
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
