// SPDX-License-Identifier: MIT

import Glibc

enum HookEnvironment {
  /// This process's environment with some variables set.
  static func adding(_ variables: [(name: String, value: String)]) -> [String] {
    let set = variables.map { "\($0.name)=\($0.value)" }
    let prefixes = variables.map { "\($0.name)=" }
    return inherited.filter { entry in !prefixes.contains { entry.hasPrefix($0) } } + set
  }

  private static var inherited: [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(String(cString: entry))
      next += 1
    }
    return entries
  }
}
