// SPDX-License-Identifier: MIT

import Glibc

/// The environment of this process.
nonisolated package enum Environment {
  /// - Returns: `nil` if there is no such variable.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The whole environment, "NAME=value" each, with some variables set.
  package static func adding(_ variables: [(name: String, value: String)]) -> [String] {
    let set = variables.map { "\($0.name)=\($0.value)" }
    let prefixes = variables.map { "\($0.name)=" }
    return strings(in: environ).filter { entry in !prefixes.contains { entry.hasPrefix($0) } } + set
  }

  /// Whether the character set is UTF-8. The first variable that is set is used, as in setlocale(3).
  package static func isUTF8(_ variable: (String) -> String? = Self.variable) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    return ["utf-8", "utf8"].contains(where: locale.lowercased().contains)
  }

  /// The path of this program; `nil` without `/proc`.
  package static var program: String? { SystemFile.realPath("/proc/self/exe") }

  /// PREFIX, where this program is PREFIX/bin/NAME.
  package static var prefix: String? {
    program.map { "/" + $0.split(separator: "/").dropLast(2).joined(separator: "/") }
  }

  /// PREFIX/share, where the rules, translations and documents of this program are.
  package static var share: String? { prefix.map { "\($0)/share" } }
}

/// The directories of the XDG Base Directory Specification. Relative paths are ignored. No path ends with a slash, and
/// none is listed twice.
nonisolated package struct BaseDirectories: Sendable {
  /// Settings: the user's directory, then the system's, highest precedence first.
  package let config: [String]
  /// Data: the user's directory, then the system's, highest precedence first.
  package let data: [String]
  /// The user's directory in `config`; `nil` without a home.
  package let configHome: String?
  /// Persists across reboots; `nil` without a home.
  package let state: String?
  /// Removed when the user logs out.
  package let runtime: String?

  /// - Parameter variable: looks an environment variable up.
  package init(_ variable: (String) -> String? = Environment.variable) {
    func list(_ name: String, _ usual: String) -> [String] {
      let value = variable(name) ?? ""
      return (value.isEmpty ? usual : value).split(separator: ":").compactMap(Self.absolute)
    }
    let home = variable("HOME").flatMap(Self.absolute)
    func own(_ name: String, _ usual: String) -> String? {
      variable(name).flatMap(Self.absolute) ?? home.map { "\($0)/\(usual)" }
    }
    configHome = own("XDG_CONFIG_HOME", ".config")
    state = own("XDG_STATE_HOME", ".local/state")
    runtime = variable("XDG_RUNTIME_DIR").flatMap(Self.absolute)
    config = Self.distinct([configHome].compactMap(\.self) + list("XDG_CONFIG_DIRS", "/etc/xdg"))
    let ownData = [own("XDG_DATA_HOME", ".local/share")].compactMap(\.self)
    data = Self.distinct(ownData + list("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))
  }

  private static func absolute(_ path: some StringProtocol) -> String? {
    path.hasPrefix("/") ? path.withoutLastSlash : nil
  }

  private static func distinct(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }
}
