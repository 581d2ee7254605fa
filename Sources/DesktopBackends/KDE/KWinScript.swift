// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The script that KWin runs for autorotate: it reports the focus on each change.
///
/// Every client may load a script. The Wayland protocol for windows (org_kde_plasma_window_management) is offered
/// only to programs whose installed desktop file requests it.
enum KWinScript {
  /// KWin's name for it, always the same, so that a script that a killed daemon left is found and unloaded.
  static let name = "autorotate"

  static let object = "/org/autorotate/KWinFocus"
  static let interface = "org.autorotate.KWinFocus"
  static let method = "Focused"

  /// The arguments of `method`, all of them strings; `KWinFocusReport` reads them.
  static let arguments = [
    "id", "role", "resourceClass", "resourceName", "desktopFile", "fullScreen", "output", "area", "title",
  ]

  /// - Parameter service: this process's unique name on the bus, so that KWin calls no other process.
  static func text(calling service: String, withTitles: Bool = false) -> String {
    """
    const target = ["\(service)", "\(object)", "\(interface)", "\(method)"];
    const maximumTitleLength = \(withTitles ? Window.maximumTitleLength : 0);

    """ + String(decoding: PackageResources.focus_js, as: UTF8.self)
  }
}

/// The script as a file: KWin accepts a path, not a text.
final class KWinScriptFile {
  let path: String

  /// - Parameter directory: the user's own, such as `XDG_RUNTIME_DIR`.
  init(_ text: String, in directory: String) throws(SystemError) {
    path = "\(directory)/autorotate-focus-\(UInt64.random(in: 0...UInt64.max).hexadecimal).js"
    try SystemFile.replace(path, with: Array(text.utf8), mode: 0o600)
  }

  isolated deinit {
    unlink(path)
  }
}
