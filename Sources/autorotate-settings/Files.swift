// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language

/// The files of settings: read anew at each change, whoever makes it, and written as `autorotate config` and
/// `autorotate rule` write them.
final class Files {
  /// Several files are often written together; milliseconds.
  private static let gathering: UInt32 = 100

  let directories: ConfigurationDirectories
  private(set) var configuration: Configuration
  var onChange: () -> Void = {}
  /// Called with why something was not written.
  var onRefusal: (String) -> Void = { _ in }
  private var monitors: [Widget] = []
  private var isGathering = false

  init(_ directories: ConfigurationDirectories) {
    self.directories = directories
    configuration = Configuration.read(from: directories)
    watch()
  }

  isolated deinit {
    for monitor in monitors { g_object_unref(monitor.pointer) }
  }

  /// The first mistake in them.
  var fault: (words: String, path: String)? {
    guard let first = configuration.diagnostics.first(where: { $0.severity == .error }) else { return nil }
    let words = ([first.headline] + [first.advice].compactMap(\.self)).joined(separator: "\n")
    return (words, first.path)
  }

  // MARK: Changing them

  func text(of key: String) -> String {
    (try? SettingKey(named: key))?.text(in: configuration) ?? ""
  }

  /// - Parameter words: `nil` for the default.
  func set(_ key: String, to words: [String]?) {
    change { () throws(Message) in
      _ = try PersonalSettings(directories).set(SettingKey(named: key), to: words)
    }
  }

  func choose(_ choice: RuleChoice, for application: String) {
    change { () throws(Message) in
      try RuleBook(directories).choosing(application, choice)?.perform()
    }
  }

  func limit(_ application: String, toFullScreen isLimited: Bool) {
    change { () throws(Message) in
      try RuleBook(directories).editing(application, RuleWish(scope: isLimited ? .fullscreen : .always))
        .perform()
    }
  }

  /// Takes the person's own rule away, so that the shipped one counts again.
  func reset(_ application: String) {
    change { () throws(Message) in try RuleBook(directories).removing(application).perform() }
  }

  private func change(_ work: () throws(Message) -> Void) {
    do throws(Message) {
      try work()
    } catch {
      onRefusal(localized(error))
    }
    // Not now: a switch may be in the middle of its turn. And also if the files are as they were: the switch is not.
    later { [weak self] in
      self?.readAnew()
      self?.onChange()
    }
  }

  // MARK: Following them

  private func readAnew() {
    isGathering = false
    let new = Configuration.read(from: directories)
    watch()
    guard new != configuration else { return }
    configuration = new
    onChange()
  }

  /// A directory that is not there yet is watched from above by GLib.
  private func watch() {
    guard monitors.isEmpty else { return }
    for directory in directories.all {
      for path in [directory.path, "\(directory.path)/apps"] { watch(path) }
    }
  }

  private func watch(_ path: String) {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(UnsafeMutableRawPointer(file)) }
    guard let monitor = g_file_monitor_directory(file, GFileMonitorFlags(rawValue: 0), nil, nil) else {
      return
    }
    let widget = Widget(UnsafeMutableRawPointer(monitor))
    widget.on("changed") { [weak self] in self?.gather() }
    monitors.append(widget)
  }

  private func gather() {
    guard !isGathering else { return }
    isGathering = true
    after(milliseconds: Self.gathering) { [weak self] in self?.readAnew() }
  }
}
