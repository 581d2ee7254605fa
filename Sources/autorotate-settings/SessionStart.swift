// SPDX-License-Identifier: MIT

import CAdwaita

/// The switch that has autorotate start with the session. `autorotate setup --with-session` knows how this desktop does
/// that.
final class SessionStart {
  private let row: Widget
  private let toggle: Widget
  private var question: LineProcess?
  private var complaints: [String] = []
  private var isRefreshing = false
  /// Called with why it could not be switched.
  var onRefusal: (String) -> Void = { _ in }

  init(_ layout: Layout) {
    row = layout["start_row"]
    toggle = layout["start"]
    toggle.on("notify::active") { [weak self] in self?.turned() }
    row.on("map") { [weak self] in self?.ask() }
  }

  private func turned() {
    guard !isRefreshing else { return }
    say(gtk_switch_get_active(toggle.opaque) != 0 ? "on" : "off") { [weak self] in self?.ask() }
  }

  private func ask() {
    say("tell") {}
  }

  private func say(_ word: String, then next: @escaping () -> Void) {
    complaints = []
    question = LineProcess(["autorotate", "setup", "--with-session", word]) { [weak self] line in
      if let line { self?.hear(line) } else { self?.end(next) }
    }
    if question == nil { toggle.enable(false) }
  }

  private func hear(_ line: String) {
    switch line {
    case "on", "off": show(isOn: line == "on")
    case "by-hand": row.show(false)
    default: complaints.append(line)
    }
  }

  private func show(isOn: Bool) {
    isRefreshing = true
    defer { isRefreshing = false }
    gtk_switch_set_active(toggle.opaque, isOn ? 1 : 0)
  }

  private func end(_ next: () -> Void) {
    if !complaints.isEmpty {
      onRefusal(complaints.joined(separator: "\n").trimmingPrefix("autorotate: ").description)
    }
    next()
  }
}
