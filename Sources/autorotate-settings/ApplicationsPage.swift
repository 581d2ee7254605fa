// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language
import System

/// The rules of applications: open and recently focused ones, those with a rule of the user, installed ones with another
/// rule, and, folded, the others.
final class ApplicationsPage {
  private let page: Widget
  private let search: Widget
  private let files: Files
  private let daemon: Daemon
  private let desktop = DesktopFiles()
  private var groups: [Widget] = []
  /// The applications that the daemon reported last.
  private var seen: [String] = []
  private var shown: Contents?
  private var isExpanded = false

  /// The most rows of a section.
  private static let most = 200

  /// What the rows are made of.
  private struct Contents: Equatable {
    let seen: [String]
    let wanted: String
    let rules: [ApplicationRule]
  }

  struct Application {
    /// The name that a rule matches.
    let name: String
    /// The one with the highest precedence, for windows with any title.
    let rule: ApplicationRule?

    /// `nil` if its rule is none of the choices.
    var choice: RuleChoice? { rule.map(RuleChoice.init) ?? .rotates }
    var isLimitedToFullScreen: Bool { rule?.fullscreen == true }
  }

  /// One that is not in use has rows that show only the choice, in a row that expands.
  private typealias Section = (title: String, names: [String], isInUse: Bool)

  /// The window's own names, which need no rule.
  private static let own: Set = ["autorotate-settings", "org.autorotate.settings"]

  init(_ layout: Layout, _ files: Files, _ daemon: Daemon) {
    page = layout["applications"]
    search = layout["search"]
    self.files = files
    self.daemon = daemon
    search.on("search-changed") { [weak self] in self?.show() }
  }

  /// What the user searches for, in lower case.
  private var wanted: String { String(cString: gtk_editable_get_text(search.opaque)).lowercased() }

  func refresh() {
    daemon.fetchApplications { [weak self] seen in
      if let seen { self?.seen = seen.filter { !Self.own.contains($0.lowercased()) } }
      self?.show()
    }
  }

  private func show() {
    let contents = Contents(seen: seen, wanted: wanted, rules: files.configuration.settings.rules)
    guard contents != shown else { return }
    shown = contents
    for group in groups { adw_preferences_page_remove(page.cast(), group.cast()) }
    groups = sections().map(group)
    for group in groups { adw_preferences_page_add(page.cast(), group.cast()) }
  }

  // MARK: Contents

  private func sections() -> [Section] {
    // Rules match names without regard to case.
    var listed = Set(seen.map { $0.lowercased() })
    let own = names(of: .user).filter { listed.insert($0.lowercased()).inserted }
    let others = names(of: .administrator, .shipped).filter { listed.insert($0.lowercased()).inserted }
    let installed = others.filter(desktop.isInstalled)
    let all: [Section] = [
      (localized("Recent"), seen, isInUse: true),
      (localized("Your Rules"), sorted(own), isInUse: true),
      (localized("Installed Apps"), sorted(installed), isInUse: true),
      (localized("Apps That Are Not Installed"), sorted(others.subtracting(installed)), isInUse: false),
    ]
    let found: [Section] = all.map { ($0, $1.filter(isWanted), $2) }.filter { !$0.names.isEmpty }
    return found.isEmpty && !wanted.isEmpty ? [(localized("No Apps Found"), [], isInUse: true)] : found
  }

  private func isWanted(_ name: String) -> Bool {
    wanted.isEmpty || name.lowercased().contains(wanted)
      || desktop.title(of: name).lowercased().contains(wanted)
  }

  /// A name of each rule that is for a single application: the user's first, else the installed one or the first.
  private func names(of layers: ApplicationRule.Layer...) -> Set<String> {
    let rules = files.configuration.settings.rules.lazy.filter { layers.contains($0.layer) }
    let names = rules.compactMap { [desktop] rule in
      (rule.layer != .user ? rule.matches.first(where: desktop.isInstalled) : nil) ?? rule.matches.first
    }
    return Set(names.filter { !$0.contains(where: { "*?".contains($0) }) })
  }

  /// By name. If there are more than the page shows, by title, so that the first titles are shown.
  private func sorted(_ names: Set<String>) -> [String] {
    guard names.count <= Self.most else { return names.sorted() }
    let titled = names.map { (title: desktop.title(of: $0).lowercased(), name: $0) }
    return titled.sorted { ($0.title, $0.name) < ($1.title, $1.name) }.map(\.name)
  }

  private func application(_ name: String) -> Application {
    let rules = files.configuration.settings.rules.candidates(for: name)
    return Application(name: name, rule: rules.first { $0.titles == nil })
  }

  // MARK: Rows

  private func group(_ section: Section) -> Widget {
    let group = Widget(UnsafeMutableRawPointer(adw_preferences_group_new()))
    let names = section.names.prefix(Self.most)
    let rows = names.map { row(application($0), isInUse: section.isInUse).widget }
    if section.isInUse {
      adw_preferences_group_set_title(group.cast(), section.title)
      for row in rows { adw_preferences_group_add(group.cast(), row) }
    } else {
      adw_preferences_group_add(group.cast(), folded(rows, section.title).widget)
    }
    let rest = section.names.count - names.count
    if rest > 0 {
      let words = localized("\(rest) more: see `autorotate rule list`")
      adw_preferences_group_set_description(group.cast(), words)
    }
    return group
  }

  /// Expanded while the user searches, and as long as the user has it so.
  private func folded(_ rows: [UnsafeMutablePointer<GtkWidget>], _ title: String) -> Widget {
    let fold = Widget(UnsafeMutableRawPointer(adw_expander_row_new()))
    adw_preferences_row_set_title(fold.cast(), title)
    adw_expander_row_set_subtitle(fold.cast(), localized("Built-in and system-wide rules"))
    for row in rows { adw_expander_row_add_row(fold.cast(), row) }
    adw_expander_row_set_expanded(fold.cast(), isExpanded || !wanted.isEmpty ? 1 : 0)
    fold.on("notify::expanded") { [weak self] in
      self?.isExpanded = adw_expander_row_get_expanded(fold.cast()) != 0
    }
    return fold
  }

  private func row(_ application: Application, isInUse: Bool) -> Widget {
    let row = Widget(UnsafeMutableRawPointer(adw_combo_row_new()))
    let name = application.name.printable()
    let title = desktop.title(of: application.name).printable()
    adw_preferences_row_set_use_markup(row.cast(), 0)
    adw_preferences_row_set_title(row.cast(), title)
    if title != name { gtk_widget_set_tooltip_text(row.widget, name) }
    // Below the title there is space for the whole choice on a narrow panel.
    adw_combo_row_set_use_subtitle(row.cast(), 1)
    adw_action_row_add_prefix(row.cast(), desktop.icon(of: application.name))
    fill(row, application)
    if isInUse, application.choice != .rotates { addLimit(to: row, application) }
    if application.rule?.layer == .user { addReset(to: row, application.name) }
    return row
  }

  private func fill(_ row: Widget, _ application: Application) {
    let choices = RuleChoice.allCases
    var labels =
      choices.map { localized($0.words) } + (application.choice == nil ? [localized("Custom")] : [])
    let selected = application.choice.flatMap(choices.firstIndex) ?? choices.count
    if application.isLimitedToFullScreen { labels[selected] += " · \(localized("in fullscreen"))" }
    let model = gtk_string_list_new(nil)
    for label in labels { gtk_string_list_append(model, label) }
    adw_combo_row_set_model(row.cast(), model)
    g_object_unref(UnsafeMutableRawPointer(model))
    adw_combo_row_set_selected(row.cast(), guint(selected))
    row.on("notify::selected") { [weak self] in
      let index = Int(adw_combo_row_get_selected(row.cast()))
      guard choices.indices.contains(index), choices[index] != application.choice else { return }
      self?.change { book throws(Message) in try book.choosing(application.name, choices[index]) }
    }
  }

  /// Later, since this removes the row that the handler belongs to. All rows are made again: after a refusal, too, the
  /// row must show what the files have.
  private func change(_ work: @escaping (RuleBook) throws(Message) -> RuleChange?) {
    later { [weak self] in
      guard let self else { return }
      shown = nil
      files.changeRules(work)
    }
  }

  /// Limits a rule to fullscreen, or not.
  private func addLimit(to row: Widget, _ application: Application) {
    let button = Widget(UnsafeMutableRawPointer(gtk_toggle_button_new()))
    gtk_button_set_icon_name(button.cast(), "org.autorotate.Settings-fullscreen-symbolic")
    gtk_toggle_button_set_active(button.cast(), application.isLimitedToFullScreen ? 1 : 0)
    button.on("toggled") { [weak self] in
      let scope: RuleRequest.Scope = gtk_toggle_button_get_active(button.cast()) != 0 ? .fullscreen : .always
      self?.change { book throws(Message) in try book.editing(application.name, RuleRequest(scope: scope)) }
    }
    add(button, to: row, localized("Only in Fullscreen"))
  }

  private func addReset(to row: Widget, _ name: String) {
    let button = Widget(
      UnsafeMutableRawPointer(gtk_button_new_from_icon_name("org.autorotate.Settings-reset-symbolic")))
    button.on("clicked") { [weak self] in self?.change { book throws(Message) in try book.removing(name) } }
    add(button, to: row, localized("Reset to Default"))
  }

  private func add(_ button: Widget, to row: Widget, _ words: String) {
    gtk_widget_set_tooltip_text(button.widget, words)
    button.describe(words)
    gtk_widget_set_valign(button.widget, GTK_ALIGN_CENTER)
    gtk_widget_set_size_request(button.widget, 44, 44)
    gtk_widget_add_css_class(button.widget, "flat")
    adw_action_row_add_suffix(row.cast(), button.widget)
  }
}

/// The titles and icons of applications from their desktop files. Rules name applications by window class or app_id.
final class DesktopFiles {
  private var known: [String: OpaquePointer] = [:]

  init() {
    var list = g_app_info_get_all()
    let first = list
    while let entry = list {
      if let data = entry.pointee.data { note(OpaquePointer(data)) }
      list = entry.pointee.next
    }
    g_list_free(first)
  }

  isolated deinit {
    for info in known.values { g_object_unref(UnsafeMutableRawPointer(info)) }
  }

  private func note(_ info: OpaquePointer) {
    let name = g_app_info_get_id(info).map { String(cString: $0).lowercased().withoutDesktopSuffix } ?? ""
    let isNew = !name.isEmpty && known[name] == nil
    if isNew { known[name] = info } else { g_object_unref(UnsafeMutableRawPointer(info)) }
  }

  /// By the file's name, or its last part: some systems report "totem" for "org.gnome.Totem". The first of several.
  private func info(of application: String) -> OpaquePointer? {
    let name = application.lowercased()
    let ending = ".\(name)"
    return known[name] ?? known.filter { $0.key.hasSuffix(ending) }.min { $0.key < $1.key }?.value
  }

  func isInstalled(_ application: String) -> Bool { info(of: application) != nil }

  /// The title from its desktop file; without one its name, or the last part of a Flatpak's name.
  func title(of application: String) -> String {
    if let name = info(of: application).flatMap({ g_app_info_get_display_name($0) }) {
      return String(cString: name)
    }
    let parts = application.split(separator: ".")
    return parts.count > 2 ? String(parts[parts.count - 1]) : application
  }

  func icon(of application: String) -> UnsafeMutablePointer<GtkWidget>? {
    let icon = info(of: application).flatMap { g_app_info_get_icon($0) }
    let image = icon.map { gtk_image_new_from_gicon($0) }
    guard let image = image ?? gtk_image_new_from_icon_name("application-x-executable") else { return nil }
    gtk_image_set_pixel_size(Widget(UnsafeMutableRawPointer(image)).opaque, 32)
    return image
  }
}
