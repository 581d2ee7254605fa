// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language

/// The page to live with: how the device is held, what the picture shows and why, and what is changed often.
final class NowPage {
  private let layout: Layout
  private let daemon: Daemon
  private let files: Files
  private let picture: DevicePicture
  /// Called when the person wants to know what is wrong.
  var onTrouble: () -> Void = {}
  /// While the widgets are told how things are, they do not tell us.
  private var isRefreshing = false

  /// A switch and the key of config.toml behind it.
  private struct Habit {
    let widget: String
    let key: String
    let on: String
    let off: String
  }

  private static let habits = [
    Habit(widget: "tablet_only", key: "desktop.rotate-in", on: "tablet", off: "always"),
    Habit(widget: "offer_turns", key: "notifications.suggest-rotation", on: "true", off: "false"),
    Habit(widget: "disable_input", key: "tablet.disable-input", on: "true", off: "false"),
    Habit(widget: "take_over", key: "display.take-over", on: "true", off: "false"),
  ]
  private static let keyboard = "tablet.on-screen-keyboard"

  init(_ layout: Layout, _ daemon: Daemon, _ files: Files) {
    self.layout = layout
    self.daemon = daemon
    self.files = files
    picture = DevicePicture(in: layout["picture"])
    connectTurning()
    connectHabits()
    layout["take_over_row"].show(Self.desktopTurns)
  }

  /// Whether this is a desktop that turns pictures itself.
  private static var desktopTurns: Bool {
    let names = g_getenv("XDG_CURRENT_DESKTOP").map { String(cString: $0) } ?? ""
    return names.split(separator: ":").contains { ["GNOME", "KDE", "UNITY"].contains($0.uppercased()) }
  }

  private func connectTurning() {
    layout["lock"].on("notify::active") { [weak self] in self?.lockTurned() }
    layout["next_step"].on("clicked") { [weak self] in self?.goOn() }
    layout["offer"].on("clicked") { [weak self] in self?.daemon.send(.takeSuggestion) }
    for orientation in InterfaceOrientation.allCases {
      layout["turn_\(orientation.word)"].on("clicked") { [weak self] in
        self?.daemon.send(.rotate(.to(orientation), output: nil))
      }
    }
  }

  private func connectHabits() {
    for habit in Self.habits {
      layout[habit.widget].on("notify::active") { [weak self] in self?.turned(habit) }
    }
    layout["keyboard_command"].on("apply") { [weak self] in self?.applyKeyboard() }
  }

  // MARK: What the person does

  private func lockTurned() {
    guard !isRefreshing else { return }
    daemon.send(isOn("lock") ? .lock(nil, until: nil) : .unlock)
  }

  private func goOn() {
    if daemon.flag(.onHold) { daemon.send(.hold(false)) } else { onTrouble() }
  }

  private func turned(_ habit: Habit) {
    guard !isRefreshing else { return }
    files.set(habit.key, to: [isOn(habit.widget) ? habit.on : habit.off])
  }

  private func applyKeyboard() {
    let text = String(cString: gtk_editable_get_text(layout["keyboard_command"].opaque))
    files.set(Self.keyboard, to: text.isEmpty ? nil : [text])
  }

  private func isOn(_ name: String) -> Bool { gtk_switch_get_active(layout[name].opaque) != 0 }

  // MARK: What is

  func refresh() {
    isRefreshing = true
    defer { isRefreshing = false }
    refreshPicture()
    refreshTurning()
    for habit in Self.habits {
      gtk_switch_set_active(layout[habit.widget].opaque, files.text(of: habit.key) == habit.on ? 1 : 0)
    }
    refreshKeyboard()
  }

  private func refreshPicture() {
    let held = DeviceOrientation(rawValue: daemon.text(.deviceOrientation))
    let shown = InterfaceOrientation(word: daemon.text(.interfaceOrientation))
    picture.hold = held.flatMap(InterfaceOrientation.init).map { .quarters($0.quartersHeld) } ?? .flat
    picture.picture = -(shown?.quartersHeld ?? 0)
    let words = localized(sentence(held, shown))
    layout["held"].say(words)
    layout["picture"].describe(words)
    let reasons = daemon.texts(.localReasons)
    refreshNextStep()
    layout["why"].say((reasons.isEmpty ? daemon.texts(.reasons) : reasons).joined(separator: "\n"))
  }

  /// What keeps the picture from turning, and the person can change.
  private func refreshNextStep() {
    let isOnHold = daemon.flag(.onHold)
    let codes = daemon.texts(.reasonCodes)
    let isInTrouble = codes.contains { Message.Code(rawValue: $0)?.tellsOfFault ?? false }
    layout["next_step"].show(isOnHold || isInTrouble)
    let words = isOnHold ? localized("Let It Turn Again") : localized("What Is Wrong?")
    gtk_button_set_label(layout["next_step"].cast(), words)
  }

  private func sentence(_ held: DeviceOrientation?, _ shown: InterfaceOrientation?) -> Phrase {
    guard daemon.isThere else { return "Nobody turns the picture now" }
    guard let shown else { return "No picture can be turned here" }
    return "The picture: \(localized(shown.plainName))"
  }

  private func refreshTurning() {
    let allowed = Set(daemon.texts(.allowed))
    let shown = daemon.text(.interfaceOrientation)
    gtk_switch_set_active(layout["lock"].opaque, daemon.text(.lock).isEmpty ? 0 : 1)
    layout["lock"].enable(daemon.isThere)
    for orientation in InterfaceOrientation.allCases {
      let button = layout["turn_\(orientation.word)"]
      button.enable(allowed.contains(orientation.word) && shown != orientation.word)
    }
    let offered = InterfaceOrientation(word: daemon.text(.suggestion))
    layout["offer"].show(offered != nil)
    guard let offered else { return }
    gtk_button_set_label(layout["offer"].cast(), localized("Turn: \(localized(offered.plainName))"))
  }

  /// Not while somebody types in it.
  private func refreshKeyboard() {
    let row = layout["keyboard_command"]
    let text = files.text(of: Self.keyboard)
    guard gtk_widget_has_focus(row.widget) == 0, String(cString: gtk_editable_get_text(row.opaque)) != text
    else {
      return
    }
    gtk_editable_set_text(row.opaque, text)
  }
}

extension InterfaceOrientation {
  /// How far the device is turned clockwise when this stands upright.
  fileprivate var quartersHeld: Int {
    switch self {
    case .normal: 0
    case .left: 1
    case .inverted: 2
    case .right: 3
    }
  }
}
