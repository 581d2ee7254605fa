// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language
import System

/// The page names of window.ui.
enum Page: String, CaseIterable {
  case rotation, applications, diagnostics

  /// - Parameter word: as on the command line, also in 1.0.0-rc1.
  init?(word: String) { self.init(rawValue: ["now": "rotation", "checkup": "diagnostics"][word] ?? word) }
}

/// The window: three pages, and a bar above them for errors.
final class SettingsWindow {
  private let layout = Layout()
  private let daemon = Daemon()
  private let files = Files()
  private let rotation: RotationPage
  private let applications: ApplicationsPage
  private let diagnostics: DiagnosticsPage
  private let problems: ProblemsGroup
  private let posture: PostureGroup
  private let calibration: CalibrationWindow
  private let start: SessionStart
  /// The action of the button in the bar.
  private var step: () -> Void = {}
  /// The last error.
  private var refusal: String?

  init(of application: Widget) {
    rotation = RotationPage(layout, daemon, files)
    applications = ApplicationsPage(layout, files, daemon)
    diagnostics = DiagnosticsPage(layout)
    problems = ProblemsGroup(layout, files)
    posture = PostureGroup(layout, daemon)
    calibration = CalibrationWindow(layout)
    start = SessionStart(layout)
    gtk_window_set_application(layout["window"].cast(), application.cast())
    gtk_application_window_set_help_overlay(layout["window"].cast(), layout["shortcuts"].opaque)
    layout["notice_step"].on("clicked") { [weak self] in self?.step() }
    rotation.onShowProblems = { [weak self] in self?.show(.diagnostics) }
    daemon.onChange = { [weak self] in self?.refresh() }
    daemon.onRefusal = { [weak self] in self?.report($0) }
    files.onChange = { [weak self] in self?.refresh() }
    start.onRefusal = { [weak self] in self?.report($0) }
    files.onRefusal = { [weak self] in self?.report($0) }
    refresh()
  }

  func present() {
    if !fitsEveryMonitor { gtk_window_maximize(layout["window"].cast()) }
    gtk_window_present(layout["window"].cast())
  }

  func show(_ page: Page) {
    adw_view_stack_set_visible_child_name(layout["stack"].opaque, page.rawValue)
  }

  /// Whether the default size fits on each monitor.
  private var fitsEveryMonitor: Bool {
    var (width, height): (Int32, Int32) = (0, 0)
    gtk_window_get_default_size(layout["window"].cast(), &width, &height)
    let monitors = gdk_display_get_monitors(gtk_widget_get_display(layout["window"].widget))
    return (0..<g_list_model_get_n_items(monitors)).allSatisfy { index in
      guard let monitor = g_list_model_get_item(monitors, index) else { return true }
      defer { g_object_unref(monitor) }
      var place = GdkRectangle()
      gdk_monitor_get_geometry(OpaquePointer(monitor), &place)
      return place.width >= width && place.height >= height
    }
  }

  private func refresh() {
    rotation.refresh()
    calibration.panel = rotation.panelAspect
    applications.refresh()
    posture.refresh()
    problems.refresh()
    refreshNotice()
  }

  /// Shows an error until the user has dismissed it.
  private func report(_ words: String) {
    refusal = words
    // The user's switch must go back; later, since it may still be animating.
    later { [weak self] in self?.refresh() }
  }

  // MARK: The bar

  private func refreshNotice() {
    if let refusal {
      show(refusal, localized("Dismiss")) { [weak self] in
        self?.refusal = nil
        self?.refreshNotice()
      }
    } else if files.configuration.errors.isEmpty {
      refreshConnectionNotice()
    } else {
      show(files.configuration.errors)
    }
  }

  /// A single problem in a sentence; several are listed on the page of diagnostics.
  private func show(_ problems: [Diagnostic]) {
    if problems.count == 1, let problem = problems.first {
      return show(localized(problem.sentence), localized("Open File")) { [weak self] in
        guard let self else { return }
        Files.open(problem.path, over: layout["window"])
      }
    }
    show(localized("The settings files have \(problems.count) problems."), localized("Show Problems")) {
      [weak self] in self?.show(.diagnostics)
    }
  }

  private func refreshConnectionNotice() {
    switch daemon.connection {
    case .noBus(let reason):
      show(localized("Not connected: \(reason). Start this in your desktop session."))
    case .timedOut:
      show(Daemon.noAnswer)
    case .connected where !daemon.isRunning:
      show(localized("autorotate is not running"), localized("Start autorotate")) { [weak self] in
        self?.daemon.start()
      }
    case .connecting, .connected:
      // A screen reader would still find the text.
      layout["notice_words"].setText("")
      gtk_info_bar_set_revealed(layout["notice"].opaque, 0)
    }
  }

  private func show(_ words: String, _ label: String = "", step: @escaping () -> Void = {}) {
    self.step = step
    layout["notice_words"].setText(words)
    gtk_button_set_label(layout["notice_step"].cast(), label)
    layout["notice_step"].describe(label)
    layout["notice_step"].show(!label.isEmpty)
    gtk_info_bar_set_revealed(layout["notice"].opaque, 1)
  }

  // MARK: The menu

  func searchApplications() {
    show(.applications)
    gtk_widget_grab_focus(layout["search"].widget)
  }

  func showHelp() {
    let data = BaseDirectories().data + [Environment.share].compactMap(\.self)
    let paths = data.map { "\($0)/doc/autorotate/troubleshooting.md" }
    guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
      return report(localized("The guide is not installed. Run `man autorotate` in a terminal."))
    }
    Files.open(path, over: layout["window"])
  }

  func showAbout() {
    adw_about_window_set_version(layout["about"].opaque, version)
    gtk_window_present(layout["about"].cast())
  }
}
