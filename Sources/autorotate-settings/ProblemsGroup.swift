// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language

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
    let problems = files.problems
    guard problems != shown else { return }
    shown = problems
    for row in rows { adw_preferences_group_remove(group.cast(), row.widget) }
    rows = problems.map(row)
    for row in rows { adw_preferences_group_add(group.cast(), row.widget) }
    group.show(!problems.isEmpty)
  }

  private func row(_ problem: Diagnostic) -> Widget {
    let row = Widget.row(localized(problem.sentence), (problem.advice ?? "").printable(limit: 1000))
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
    let words = message.printable(limit: 300)
    guard let place else { return "\(name): \(words)." }
    return "\(name), line \(place.line): \(words)."
  }
}
