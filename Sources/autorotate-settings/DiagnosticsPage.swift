// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language
import System

/// Shows the findings of `autorotate doctor` with their next steps.
final class DiagnosticsPage {
  private let layout: Layout
  private static let alarm = "dialog-warning-symbolic"
  private var doctor: LineProcess?
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
    layout["copy_findings"].enable(!report.isEmpty)
    var findings: [Finding] = []
    doctor = LineProcess(["autorotate", "doctor", "--json", "--local"]) { [weak self] process, line in
      // Ignore late output of an earlier run.
      guard let self, doctor === process else { return }
      if let line { findings += Finding.read(line) } else { show(findings) }
    }
    if doctor == nil { refuse(localized("autorotate cannot be started. Check that it is installed.")) }
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
    for button in ["look_again", "copy_findings"] { layout[button].enable(true) }
  }

  private func entry(_ finding: Finding) -> Widget {
    let icon = ["broken": Self.alarm, "works": "object-select-symbolic"][finding.state]
    let title = finding.name.prefix(1).uppercased() + finding.name.dropFirst()
    return entry(title, finding.detail + (finding.nextStep.map { "\n→ \($0)" } ?? ""), icon)
  }

  private func entry(_ title: String, _ subtitle: String, _ icon: String?) -> Widget {
    let row = Widget.row(title, subtitle)
    if let icon { adw_action_row_add_suffix(row.cast(), gtk_image_new_from_icon_name(icon)) }
    let state = icon == nil ? localized("Not needed") : localized(icon == Self.alarm ? "Problem" : "OK")
    // By default the title is the row's name: older GTK adds it, and newer GTK uses it alone.
    gtk_accessible_reset_relation(row.opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
    row.describe("\(state): \(title)")
    return row
  }

  private func copy() {
    gdk_clipboard_set_text(gtk_widget_get_clipboard(layout["look_again"].widget), report)
  }
}

/// One line of `autorotate doctor --json --local`.
struct Finding: Equatable {
  let name: String
  /// "works", "broken" or "not-applicable".
  let state: String
  let detail: String
  let nextStep: String?

  /// Empty if this is not the output of doctor, as a line of its standard error.
  static func read(_ json: String) -> [Self] {
    (JSONValue(json)?["findings"]?.elements ?? []).compactMap(Self.init)
  }

  private init?(_ object: JSONValue) {
    guard let name = object["name"]?.string, let state = object["state"]?.string else { return nil }
    self.name = name
    self.state = state
    detail = object["detail"]?.string ?? ""
    nextStep = object["nextStep"]?.string
  }

  /// The text that doctor prints on a terminal, for a report.
  var text: String {
    let mark = ["works": "✓", "broken": "✗"][state] ?? "–"
    return "\(mark) \(name): \(detail)" + (nextStep.map { "\n   → \($0)" } ?? "")
  }
}

/// The list of problems in the settings files, each with a button that opens its file.
final class ProblemsGroup {
  private let layout: Layout
  private let files: Files
  private var rows: [Widget] = []
  private var shown: [Diagnostic] = []

  private var group: Widget { layout["problems_group"] }

  init(_ layout: Layout, _ files: Files) {
    self.layout = layout
    self.files = files
  }

  func refresh() {
    let problems = files.configuration.errors
    guard problems != shown else { return }
    shown = problems
    for row in rows { adw_preferences_group_remove(group.cast(), row.widget) }
    rows = problems.map(row)
    for row in rows { adw_preferences_group_add(group.cast(), row.widget) }
    group.show(!problems.isEmpty)
  }

  private func row(_ problem: Diagnostic) -> Widget {
    let row = Widget.row(
      localized(problem.sentence), problem.advice.map(localized)?.printable(limit: 1000) ?? "")
    let button = Widget(UnsafeMutableRawPointer(gtk_button_new_with_label(localized("Open File"))))
    gtk_widget_set_valign(button.widget, GTK_ALIGN_CENTER)
    gtk_widget_set_size_request(button.widget, -1, 44)
    button.on("clicked") { [layout] in Files.open(problem.path, over: layout["window"]) }
    adw_action_row_add_suffix(row.cast(), button.widget)
    return row
  }
}

extension Diagnostic {
  /// "config.toml, line 2: expected a number, found text."
  var sentence: Phrase {
    let name = (path.split(separator: "/").last.map(String.init) ?? path).printable()
    let words = localized(message).printable(limit: 300)
    guard let place else { return "\(name): \(words)." }
    return "\(name), line \(place.line): \(words)."
  }
}
