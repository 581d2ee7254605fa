// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language

/// The main page: device and screen orientation with the reasons, and the settings that change often.
final class RotationPage {
  private let layout: Layout
  private let daemon: Daemon
  private let files: Files
  private let drawing: DeviceDrawing
  /// Called when the user asks for the problems.
  var onShowProblems: () -> Void = {}
  /// Whether widgets are being updated: their signals are then ignored.
  private var isRefreshing = false
  /// The command for the on-screen keyboard that the files had last, or that was applied since.
  private var keyboardCommand: String?

  /// A switch and the key of config.toml behind it.
  private typealias SwitchSetting = (widget: String, key: String, on: String, off: String)

  private static let switchSettings: [SwitchSetting] = [
    ("tablet_only", "desktop.rotate-in", "tablet", "always"),
    ("offer_turns", "notifications.suggest-rotation", "true", "false"),
    ("disable_input", "tablet.disable-input", "true", "false"),
    ("take_over", "display.take-over", "true", "false"),
  ]
  private static let keyboard = "tablet.on-screen-keyboard"

  init(_ layout: Layout, _ daemon: Daemon, _ files: Files) {
    self.layout = layout
    self.daemon = daemon
    self.files = files
    drawing = DeviceDrawing(in: layout["picture"])
    layout["take_over_row"].show(Self.canTakeOver)
    connectSignals()
  }

  /// Whether autorotate can switch off this desktop's own rotation: not on X11, and not that of phosh.
  private static var canTakeOver: Bool {
    let desktops = g_getenv("XDG_CURRENT_DESKTOP").map { String(cString: $0).uppercased() } ?? ""
    let names = Set(desktops.split(separator: ":"))
    return g_getenv("WAYLAND_DISPLAY") != nil && !names.contains("PHOSH")
      && !names.isDisjoint(with: ["GNOME", "KDE", "X-CINNAMON"])
  }

  private func connectSignals() {
    layout["lock"].on("notify::active") { [weak self] in self?.lockToggled() }
    layout["next_step"].on("clicked") { [weak self] in self?.performNextStep() }
    layout["offer"].on("clicked") { [weak self] in self?.daemon.send(.acceptSuggestion) }
    for orientation in InterfaceOrientation.allCases {
      layout["turn_\(orientation.word)"].on("clicked") { [weak self] in
        self?.daemon.send(.rotate(.to(orientation), output: nil))
      }
    }
    for setting in Self.switchSettings {
      layout[setting.widget].on("notify::active") { [weak self] in self?.toggled(setting) }
    }
    layout["keyboard_command"].on("apply") { [weak self] in self?.applyKeyboard() }
  }

  // MARK: User actions

  private func lockToggled() {
    guard !isRefreshing else { return }
    daemon.send(isOn("lock") ? .lock(nil, until: nil) : .unlock)
  }

  private func performNextStep() {
    if daemon.flag(.onHold) { daemon.send(.hold(false)) } else { onShowProblems() }
  }

  private func toggled(_ setting: SwitchSetting) {
    guard !isRefreshing else { return }
    files.set(setting.key, to: [isOn(setting.widget) ? setting.on : setting.off])
  }

  private func applyKeyboard() {
    let text = String(cString: gtk_editable_get_text(layout["keyboard_command"].opaque))
    // If the files have another one then, after a refusal or from the administrator, that is shown.
    keyboardCommand = text
    files.set(Self.keyboard, to: text.isEmpty ? nil : [text])
  }

  private func isOn(_ name: String) -> Bool { gtk_switch_get_active(layout[name].opaque) != 0 }

  // MARK: Display

  func refresh() {
    isRefreshing = true
    defer { isRefreshing = false }
    refreshDrawing()
    refreshRotation()
    for setting in Self.switchSettings {
      gtk_switch_set_active(layout[setting.widget].opaque, files.text(of: setting.key) == setting.on ? 1 : 0)
    }
    refreshKeyboard()
  }

  private func refreshDrawing() {
    let device = DeviceOrientation(rawValue: daemon.text(.deviceOrientation))
    let shown = InterfaceOrientation(word: daemon.text(.interfaceOrientation))
    drawing.device = device.flatMap(InterfaceOrientation.init)?.clockwiseQuarters
    drawing.panel = panelAspect
    drawing.screen = -(shown?.clockwiseQuarters ?? 0)
    let words = localized(sentence(shown))
    layout["held"].setText(words)
    layout["picture"].describe(words)
    let reasons = daemon.texts(.localReasons)
    refreshNextStep()
    layout["why"].setText((reasons.isEmpty ? daemon.texts(.reasons) : reasons).joined(separator: "\n"))
  }

  /// The button for what prevents rotation and the user can change.
  private func refreshNextStep() {
    let isPaused = daemon.flag(.onHold)
    let codes = daemon.texts(.reasonCodes)
    let hasFault = codes.contains { Message.Code(rawValue: $0)?.isFault ?? false }
    layout["next_step"].show(isPaused || hasFault)
    let words = isPaused ? localized("Resume Auto-Rotation") : localized("Show Problems")
    gtk_button_set_label(layout["next_step"].cast(), words)
  }

  var panelAspect: PanelAspect? { PanelAspect(rawValue: daemon.text(.naturalOrientation)) }

  private func sentence(_ shown: InterfaceOrientation?) -> Phrase {
    // Before there is a connection, the bar above the pages has what is known.
    guard daemon.connection == .connected else { return "" }
    guard daemon.isRunning else { return "Auto-rotation is not running" }
    guard let shown else { return "No display can be rotated" }
    return "Screen: \(localized(shown.title(on: panelAspect)))"
  }

  private func refreshRotation() {
    let allowed = Set(daemon.texts(.allowed))
    let shown = daemon.text(.interfaceOrientation)
    gtk_switch_set_active(layout["lock"].opaque, daemon.text(.lock).isEmpty ? 0 : 1)
    layout["lock"].enable(daemon.isRunning)
    for orientation in InterfaceOrientation.allCases {
      let button = layout["turn_\(orientation.word)"]
      button.enable(allowed.contains(orientation.word) && shown != orientation.word)
    }
    let normal = localized(InterfaceOrientation.normal.title(on: panelAspect))
    layout["normal_label"].setText(normal)
    layout["turn_normal"].describe(normal)
    let offered = InterfaceOrientation(word: daemon.text(.suggestion))
    layout["offer"].show(offered != nil)
    guard let offered else { return }
    gtk_button_set_label(
      layout["offer"].cast(), localized("Rotate: \(localized(offered.title(on: panelAspect)))"))
  }

  /// Only if the files have another command than before: the user may not have applied yet what is typed.
  private func refreshKeyboard() {
    let text = files.text(of: Self.keyboard)
    guard text != keyboardCommand else { return }
    keyboardCommand = text
    let row = layout["keyboard_command"]
    if String(cString: gtk_editable_get_text(row.opaque)) != text { gtk_editable_set_text(row.opaque, text) }
  }
}

extension InterfaceOrientation {
  /// The quarter turns clockwise by which the user has rotated the device when the screen has this orientation.
  fileprivate var clockwiseQuarters: Int { Int(rawValue) }
}
