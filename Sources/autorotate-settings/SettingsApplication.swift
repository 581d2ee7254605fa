// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
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
    for page in Page.allCases {
      addAction(page.rawValue) { [weak self] in
        self?.activate()
        self?.window?.show(page)
      }
    }
    addAction("help", keys: ["F1"]) { [weak self] in self?.window?.showHelp() }
    addAction("about") { [weak self] in self?.window?.showAbout() }
    addAction("search", keys: ["<Control>f"]) { [weak self] in self?.window?.searchApplications() }
    if let page, g_application_register(application.cast(), nil, nil) != 0 {
      g_action_group_activate_action(application.opaque, page.rawValue, nil)
    }
    return g_application_run(application.cast(), 1, CommandLine.unsafeArgv)
  }

  private func addAction(_ name: String, keys: [String] = [], _ perform: @escaping () -> Void) {
    guard let action = g_simple_action_new(name, nil) else { return }
    Widget(action).on("activate", perform)
    g_action_map_add_action(application.opaque, action)
    g_object_unref(UnsafeMutableRawPointer(action))
    setKeys(keys, of: "app.\(name)")
  }

  private func setKeys(_ keys: [String], of action: String) {
    withCStrings(keys) { gtk_application_set_accels_for_action(application.cast(), action, $0) }
  }

  private func activate() {
    if window == nil {
      setKeys(["<Control>w", "<Control>q"], of: "window.close")
      setKeys(["<Control>question"], of: "win.show-help-overlay")
      enlargeTouchTargets()
      window = SettingsWindow(of: application)
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
