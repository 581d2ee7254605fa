// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Language

/// Warns that a name may be mistyped: no application on this machine has it.
@MainActor enum MissingApplication {
  /// - Parameter name: as a rule matches it.
  static func report(_ name: String) {
    guard !isOpen(name), !InstalledApplications().contain(name) else { return }
    Console.log(
      localized(
        "no app called \(name.printable()) is open or installed; `autorotate windows` lists the names of open ones"
      ))
  }

  private static func isOpen(_ name: String) -> Bool {
    let windows = (try? ControlClient().windows())?.0 ?? []
    return windows.flatMap(\.names).contains { ApplicationRule.pattern(name, matches: $0) }
  }
}
