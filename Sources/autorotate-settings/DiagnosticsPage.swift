// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language

/// Shows the findings of `autorotate doctor` with their next steps.
final class DiagnosticsPage {
  private let layout: Layout
  private static let alarm = "dialog-warning-symbolic"
  private var group: Widget?
  private var report = ""

  init(_ layout: Layout) {
    self.layout = layout
    layout["look_again"].on("clicked") { [weak self] in self?.runDoctor() }
    layout["copy_findings"].on("clicked") { [weak self] in self?.copy() }
    layout["diagnostics"].on("map") { [weak self] in self?.runDoctor() }
  }

  // MARK: Running doctor

  private func runDoctor() {
    layout["look_again"].enable(false)
    var error: UnsafeMutablePointer<GError>?
    // Its standard error is our own.
    let command = ["autorotate", "doctor", "--json", "--local"]
    guard let process = startChild(command, cadw_subprocess_stdout_pipe, &error) else {
      let reason = error.map { String(cString: $0.pointee.message) } ?? ""
      g_clear_error(&error)
      return refuse(localized("autorotate cannot be started: \(reason). Check that it is installed."))
    }
    let ended = Completion { [self] result in
      var text: UnsafeMutablePointer<CChar>?
      g_subprocess_communicate_utf8_finish(process, result, &text, nil, nil)
      show(Finding.read(text.map { String(cString: $0) } ?? ""))
      g_free(text)
      g_object_unref(UnsafeMutableRawPointer(process))
    }
    g_subprocess_communicate_utf8_async(process, nil, nil, Completion.call, ended.data)
  }

  // MARK: Rows

  private func show(_ findings: [Finding]) {
    guard !findings.isEmpty else {
      return refuse(localized("`autorotate doctor --json` printed no findings. Run it in a terminal."))
    }
    report = findings.map(\.text).joined(separator: "\n")
    // Findings that need the user come first.
    put((0...3).flatMap { rank in findings.filter { Self.rank($0) == rank } }.map(entry))
  }

  private static func rank(_ finding: Finding) -> Int {
    if finding.state == "broken" { return 0 }
    if finding.nextStep != nil { return 1 }
    return finding.state == "works" ? 2 : 3
  }

  private func refuse(_ words: String) {
    report = words
    put([entry(words, "", Self.alarm)])
  }

  private func put(_ rows: [Widget]) {
    if let group { adw_preferences_page_remove(layout["diagnostics"].cast(), group.cast()) }
    let new = Widget(UnsafeMutableRawPointer(adw_preferences_group_new()))
    for row in rows { adw_preferences_group_add(new.cast(), row.widget) }
    adw_preferences_page_add(layout["diagnostics"].cast(), new.cast())
    group = new
    layout["look_again"].enable(true)
  }

  private func entry(_ finding: Finding) -> Widget {
    let icon = finding.state == "broken" ? Self.alarm : "object-select-symbolic"
    let next = finding.nextStep.map { "→ " + $0 }
    let words = [finding.detail] + [next].compactMap(\.self)
    return entry(
      finding.name.capitalizedSentence, words.joined(separator: "\n"),
      finding.state == "not-applicable" ? nil : icon)
  }

  private func entry(_ title: String, _ subtitle: String, _ icon: String?) -> Widget {
    let row = Widget.row(title, subtitle)
    if let icon { adw_action_row_add_suffix(row.cast(), gtk_image_new_from_icon_name(icon)) }
    if icon == Self.alarm { row.describe("\(title): \(localized("does not work"))") }
    return row
  }

  private func copy() {
    gdk_clipboard_set_text(gtk_widget_get_clipboard(layout["look_again"].widget), report)
  }
}

extension String {
  fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}
