// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language

/// One window in a session: who starts the program again sees the one that is there.
final class SettingsApplication {
  private static let id = "org.autorotate.Settings"

  private let application: Widget
  private var window: SettingsWindow?

  init() {
    // Opens the catalogue, before GTK starts its threads.
    _ = localized("Settings of autorotate")
    application = Widget(OpaquePointer(adw_application_new(Self.id, GApplicationFlags(rawValue: 0))))
    application.on("activate") { [weak self] in self?.activate() }
  }

  /// - Returns: the status to exit with.
  func run() -> Int32 {
    g_application_run(application.cast(), CommandLine.argc, CommandLine.unsafeArgv)
  }

  private func activate() {
    if window == nil {
      closeByKeyboard()
      window = SettingsWindow(of: application, ConfigurationDirectories(), Daemon())
    }
    window?.present()
  }

  private func closeByKeyboard() {
    withCStrings(["<Control>w", "<Control>q"]) {
      gtk_application_set_accels_for_action(application.cast(), "window.close", $0)
    }
  }
}
