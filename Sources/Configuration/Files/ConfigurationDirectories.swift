// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc

/// Where settings are looked for, after the XDG base directory specification. Within each list the first
/// directory is the nearest.
package struct ConfigurationDirectories: Equatable, Sendable {
  /// A directory that may hold `config.toml` and `apps`.
  package struct Directory: Equatable, Sendable {
    package var path: String
    package var layer: ApplicationRule.Layer

    var settings: String { "\(path)/config.toml" }
    var rules: String { "\(path)/apps" }
    /// Programs ship rules, never settings.
    var mayHoldSettings: Bool { layer != .shipped }
  }

  package var all: [Directory]

  /// - Parameters: directories named "autorotate", with or without a last slash.
  package init(user: String?, administrator: [String], shipped: [String]) {
    let groups: [([String], ApplicationRule.Layer)] = [
      ([user].compactMap(\.self), .user), (administrator, .administrator), (shipped, .shipped),
    ]
    all = []
    for (paths, layer) in groups {
      for path in paths.map(\.withoutLastSlash) where !all.contains(where: { $0.path == path }) {
        all.append(Directory(path: path, layer: layer))
      }
    }
  }

  /// - Parameter environment: looks a variable up.
  package init(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0.withoutLastSlash : nil }
    func list(_ variable: String, _ fallback: String) -> [String] {
      let value = environment(variable) ?? ""
      return (value.isEmpty ? fallback : value).split(separator: ":").map(String.init)
    }
    let user = list("XDG_CONFIG_HOME", home.map { "\($0)/.config" } ?? "")
    let data = list("XDG_DATA_HOME", home.map { "\($0)/.local/share" } ?? "")
    self.init(
      user: user.ours.first, administrator: list("XDG_CONFIG_DIRS", "/etc/xdg").ours,
      shipped: data.ours + list("XDG_DATA_DIRS", "/usr/local/share:/usr/share").ours)
  }
}

extension [String] {
  /// A relative path counts as none.
  fileprivate var ours: Self {
    filter { $0.hasPrefix("/") }.map { "\($0.withoutLastSlash)/autorotate" }
  }
}

extension String {
  fileprivate var withoutLastSlash: String {
    var path = self[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
