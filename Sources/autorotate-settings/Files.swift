// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language

/// The settings files: read again at each change by any program, and written like `autorotate config` and
/// `autorotate rule` do.
final class Files {
  /// The delay before files are read again, since several are often written together; milliseconds.
  private static let batchDelay: UInt32 = 100

  private let directories = ConfigurationDirectories()
  private(set) var configuration: Configuration
  var onChange: () -> Void = {}
  /// Called with the reason if a file was not written.
  var onRefusal: (String) -> Void = { _ in }
  private var monitors: [Widget] = []
  /// The targets of links that are watched.
  private var targets: Set<String> = []
  private var isReloadDue = false

  init() {
    configuration = Configuration.read(from: directories)
    // GLib also watches directories that do not exist yet.
    for directory in directories.all {
      for path in [directory.path, "\(directory.path)/apps"] { watch(path) }
    }
    watchTargets()
  }

  isolated deinit { for monitor in monitors { g_object_unref(monitor.pointer) } }

  static func open(_ path: String, over window: Widget) {
    let file = g_file_new_for_path(path)
    let uri = g_file_get_uri(file)
    gtk_show_uri(window.cast(), uri, guint32(GDK_CURRENT_TIME))
    g_free(uri)
    g_object_unref(UnsafeMutableRawPointer(file))
  }

  // MARK: Changes

  func text(of key: String) -> String { (try? SettingKey(named: key))?.text(configuration) ?? "" }

  /// - Parameter words: `nil` for the default.
  func set(_ key: String, to words: [String]?) {
    change { () throws(Message) in
      _ = try UserSettings(directories).set(SettingKey(named: key), to: words)
    }
  }

  /// - Parameter work: returns the change of the rules; `nil` for none.
  func changeRules(_ work: (RuleBook) throws(Message) -> RuleChange?) {
    change { () throws(Message) in try work(RuleBook(directories))?.perform() }
  }

  private func change(_ work: () throws(Message) -> Void) {
    do throws(Message) {
      try work()
    } catch {
      onRefusal(localized(error))
    }
    // Deferred, since a switch may still be animating. Also if the files are unchanged: the switch must go back.
    later { [weak self] in
      self?.reload()
      self?.onChange()
    }
  }

  // MARK: Monitoring

  private func reload() {
    isReloadDue = false
    watchTargets()
    let new = Configuration.read(from: directories)
    guard new != configuration else { return }
    configuration = new
    onChange()
  }

  private func watchTargets() {
    for path in directories.linkTargets where !targets.contains(path) && watch(path, isFile: true) {
      targets.insert(path)
    }
  }

  /// - Returns: `false` if that failed, as without descriptors.
  @discardableResult
  private func watch(_ path: String, isFile: Bool = false) -> Bool {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(UnsafeMutableRawPointer(file)) }
    let start = isFile ? g_file_monitor_file : g_file_monitor_directory
    guard let monitor = start(file, GFileMonitorFlags(rawValue: 0), nil, nil) else { return false }
    let widget = Widget(UnsafeMutableRawPointer(monitor))
    widget.on("changed") { [weak self] in self?.scheduleReload() }
    monitors.append(widget)
    return true
  }

  private func scheduleReload() {
    guard !isReloadDue else { return }
    isReloadDue = true
    after(milliseconds: Self.batchDelay) { [weak self] in self?.reload() }
  }
}
