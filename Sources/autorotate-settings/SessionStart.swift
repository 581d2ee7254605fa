// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language

/// The switch that starts autorotate at login. `autorotate setup --with-session` reports whether it does, and
/// what the user has to do if only the desktop's own configuration can change that.
final class SessionStart {
  /// The output of `autorotate setup --with-session tell`.
  private enum Answer: String {
    case on, off, unknown
    case byHand = "by-hand"
  }

  private let row: Widget
  private let toggle: Widget
  private var question: LineProcess?
  private var answer: Answer?
  private var otherLines: [String] = []
  private let usualSubtitle: String
  private var isRefreshing = false
  /// While it is switched, a press changes nothing, since two programs would change the same files.
  private var isSwitching = false
  /// Called with the reason if it could not be changed.
  var onRefusal: (String) -> Void = { _ in }

  init(_ layout: Layout) {
    row = layout["start_row"]
    toggle = layout["start"]
    usualSubtitle = adw_action_row_get_subtitle(row.cast()).map { String(cString: $0) } ?? ""
    toggle.on("notify::active") { [weak self] in self?.toggled() }
    row.on("map") { [weak self] in self?.ask() }
    let window = layout["window"]
    window.on("notify::is-active") { [weak self] in
      // Something else may have switched it since the answer.
      if gtk_window_is_active(window.cast()) != 0, self?.answer != nil { self?.ask() }
    }
  }

  private func toggled() {
    guard !isRefreshing, !isSwitching else { return }
    isSwitching = true
    run(gtk_switch_get_active(toggle.opaque) != 0 ? "on" : "off") { [weak self] in
      self?.isSwitching = false
      self?.ask()
    }
  }

  private func ask() {
    if !isSwitching { run("tell") {} }
  }

  private func run(_ word: String, then next: @escaping () -> Void) {
    answer = nil
    otherLines = []
    question = LineProcess(["autorotate", "setup", "--with-session", word]) { [weak self] process, line in
      // Ignore late output of an earlier run.
      guard let self, question === process else { return }
      if let line { receive(line) } else { end(next) }
    }
    guard question == nil else { return }
    isSwitching = false
    toggle.enable(false)
    onRefusal(localized("autorotate cannot be started. Check that it is installed."))
  }

  private func receive(_ line: String) {
    if let answer = Answer(rawValue: line) { self.answer = answer } else { otherLines.append(line) }
  }

  private func end(_ next: () -> Void) {
    let text = otherLines.joined(separator: "\n")
    if let answer { show(answer, advice: text) } else if !text.isEmpty { onRefusal(text) }
    next()
  }

  private func show(_ answer: Answer, advice: String) {
    isRefreshing = true
    defer { isRefreshing = false }
    gtk_switch_set_active(toggle.opaque, answer == .on ? 1 : 0)
    let isSwitchable = answer == .on || answer == .off
    toggle.enable(isSwitchable)
    adw_action_row_set_subtitle(row.cast(), isSwitchable ? usualSubtitle : advice)
  }
}
