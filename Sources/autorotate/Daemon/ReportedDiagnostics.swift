// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// Reports each error in the settings once, until it is fixed.
struct ReportedDiagnostics {
  private static let maximumAtOnce = 100

  private var reported: Set<String> = []

  mutating func log(_ diagnostics: [String]) {
    let new = diagnostics.filter { !reported.contains($0) }
    if diagnostics.isEmpty, !reported.isEmpty { Console.log(localized("The settings have no errors now.")) }
    reported = Set(diagnostics)
    new.prefix(Self.maximumAtOnce).forEach(Console.log)
    guard new.count > Self.maximumAtOnce else { return }
    let rest = new.count - Self.maximumAtOnce
    Console.log(localized("\(rest) more errors in the settings. See them with: autorotate check"))
  }
}
