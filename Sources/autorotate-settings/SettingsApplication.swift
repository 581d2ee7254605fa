// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language

/// Shows one window per session: starting the program again presents the existing one.
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

  /// - Parameter page: the first page to show, also in an existing window.
  /// - Returns: the status to exit with.
  func run(_ page: Page?) -> Int32 {
    addActions()
    if let page, g_application_register(application.cast(), nil, nil) != 0 {
      g_action_group_activate_action(application.opaque, page.rawValue, nil)
    }
    return g_application_run(application.cast(), 1, CommandLine.unsafeArgv)
  }

  private func addActions() {
    for page in Page.allCases {
      guard let action = g_simple_action_new(page.rawValue, nil) else { continue }
      Widget(action).on("activate") { [weak self] in
        self?.activate()
        self?.window?.show(page)
      }
      g_action_map_add_action(application.opaque, action)
      g_object_unref(UnsafeMutableRawPointer(action))
    }
    addMenuActions()
  }

  private func addMenuActions() {
    let menu: [(name: String, keys: [String], perform: (SettingsWindow) -> Void)] = [
      ("help", ["F1"], { $0.showHelp() }), ("about", [], { $0.showAbout() }),
      ("search", ["<Control>f"], { $0.searchApplications() }),
    ]
    for item in menu {
      guard let action = g_simple_action_new(item.name, nil) else { continue }
      Widget(action).on("activate") { [weak self] in self?.window.map(item.perform) }
      g_action_map_add_action(application.opaque, action)
      g_object_unref(UnsafeMutableRawPointer(action))
      setKeys(item.keys, of: "app.\(item.name)")
    }
  }

  private func setKeys(_ keys: [String], of action: String) {
    withCStrings(keys) { gtk_application_set_accels_for_action(application.cast(), action, $0) }
  }

  private func activate() {
    if window == nil {
      setKeys(["<Control>w", "<Control>q"], of: "window.close")
      setKeys(["<Control>question"], of: "win.show-help-overlay")
      enlargeTouchTargets()
      window = SettingsWindow(of: application, ConfigurationDirectories(), Daemon())
    }
    window?.present()
  }

  /// Only in the lists that rows open: all other targets are large enough by default or in window.ui.
  private func enlargeTouchTargets() {
    guard let display = gdk_display_get_default(), let style = gtk_css_provider_new() else { return }
    gtk_css_provider_load_from_data(style, "row.combo popover row { min-height: 44px; }", -1)
    gtk_style_context_add_provider_for_display(
      display, OpaquePointer(style), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(style)
  }
}
