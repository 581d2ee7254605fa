// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Configuration
import Language

/// The settings files: read again at each change by any program, and written like `autorotate config` and
/// `autorotate rule` do.
final class Files {
  private let directories = ConfigurationDirectories()
  private lazy var files = ConfigurationFiles(
    loop: MainLoop.events, directories: directories
  ) { [weak self] _ in self?.onChange() }
  var onChange: () -> Void = {}
  /// Called with the reason if a file was not written.
  var onRefusal: (String) -> Void = { _ in }

  var configuration: Configuration { files.current }

  init() { try? files.start() }

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
    later { [weak self] in self?.files.reload() }
  }
}
