// SPDX-License-Identifier: MIT

import Glibc

/// The icons in the theme that all others fall back to.
struct InstalledIcons {
  private let directories: [String]

  /// - Parameter environment: looks a variable up.
  init(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    let own = environment("XDG_DATA_HOME") ?? environment("HOME").map { "\($0)/.local/share" }
    let others = environment("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 }
    let found = [own ?? ""] + (others ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    // As the XDG base directory specification says: a relative path counts as none.
    directories = found.filter { $0.hasPrefix("/") }
  }

  /// - Parameter name: without a suffix.
  func has(_ name: String) -> Bool {
    directories.contains { access("\($0)/icons/hicolor/scalable/status/\(name).svg", R_OK) == 0 }
  }
}
