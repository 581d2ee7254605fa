// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language

/// As window.ui names them.
enum Page: String, CaseIterable {
  case now, applications, checkup
}

/// The window: three pages, and a bar above them that says what keeps it from doing its work.
final class SettingsWindow {
  private let layout = Layout()
  private let daemon: Daemon
  private let files: Files
  private let now: NowPage
  private let applications: ApplicationsPage
  private let checkUp: CheckUpPage
  private let posture: PostureGroup
  private let calibration: CalibrationWindow
  private let start: SessionStart
  /// What the button in the bar does.
  private var step: () -> Void = {}
  /// What has not worked.
  private var refusal: String?

  init(of application: Widget, _ directories: ConfigurationDirectories, _ daemon: Daemon) {
    self.daemon = daemon
    files = Files(directories)
    layout.furnish("now", with: ["picture_group", "turning_group", "habits_group"])
    layout.furnish("checkup", with: ["sensor_group", "posture_group", "checkup_group"])
    now = NowPage(layout, daemon, files)
    applications = ApplicationsPage(layout["applications"], files, daemon)
    checkUp = CheckUpPage(layout)
    posture = PostureGroup(layout, daemon)
    calibration = CalibrationWindow(layout)
    start = SessionStart(layout)
    gtk_window_set_application(layout["window"].cast(), application.cast())
    layout["notice_step"].on("clicked") { [weak self] in self?.step() }
    now.onTrouble = { [weak self] in self?.show(.checkup) }
    daemon.onChange = { [weak self] in self?.refresh() }
    daemon.onRefusal = { [weak self] in self?.tell($0) }
    files.onChange = { [weak self] in self?.refresh() }
    start.onRefusal = { [weak self] in self?.tell($0) }
    files.onRefusal = { [weak self] in self?.tell($0) }
    refresh()
  }

  func present() {
    if !fitsEveryMonitor { gtk_window_maximize(layout["window"].cast()) }
    gtk_window_present(layout["window"].cast())
  }

  func show(_ page: Page) {
    adw_view_stack_set_visible_child_name(layout["stack"].opaque, page.rawValue)
  }

  /// Whether the size that it would like to have is there, on whichever monitor it comes.
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
    now.refresh()
    applications.refresh()
    posture.refresh()
    notice()
  }

  /// What has not worked, until the person has read it.
  private func tell(_ words: String) {
    refusal = words
    // They may have turned a switch in vain, which is still being turned.
    later { [weak self] in self?.refresh() }
  }

  // MARK: The bar

  private func notice() {
    if let refusal {
      show(refusal, localized("All Right")) { [weak self] in
        self?.refusal = nil
        self?.notice()
      }
    } else if let fault = files.fault {
      show(fault.words, localized("Open the File")) { [weak self] in self?.open(fault.path) }
    } else {
      noticeReach()
    }
  }

  private func noticeReach() {
    switch daemon.reach {
    case .noBus(let reason):
      show(
        localized(
          "The session bus cannot be reached (\(reason)): start this from within your desktop's session."))
    case .asksInVain:
      show(Daemon.silence)
    case .known where !daemon.isThere:
      show(localized("autorotate is not running"), localized("Start autorotate")) { [weak self] in
        self?.daemon.start()
      }
    case .asking, .known: hideNotice()
    }
  }

  /// Without its words, which a screen reader would still find.
  private func hideNotice() {
    layout["notice_words"].say("")
    gtk_info_bar_set_revealed(layout["notice"].opaque, 0)
  }

  private func show(_ words: String, _ label: String = "", step: @escaping () -> Void = {}) {
    self.step = step
    layout["notice_words"].say(words)
    gtk_button_set_label(layout["notice_step"].cast(), label)
    layout["notice_step"].describe(label)
    layout["notice_step"].show(!label.isEmpty)
    gtk_info_bar_set_revealed(layout["notice"].opaque, 1)
  }

  private func open(_ path: String) {
    let file = g_file_new_for_path(path)
    let uri = g_file_get_uri(file)
    gtk_show_uri(layout["window"].cast(), uri, guint32(GDK_CURRENT_TIME))
    g_free(uri)
    g_object_unref(UnsafeMutableRawPointer(file))
  }
}
