// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

/// The line that the daemon prints on a terminal when it has started.
struct StartupLine {
  private var isDue = isatty(STDERR_FILENO) == 1

  /// - Parameter waits: whether the daemon waits for a sensor and a panel.
  /// - Returns: `nil` if it is too early, the line was already printed, or there is no terminal.
  mutating func text(for status: Status, waits: Bool) -> Phrase? {
    guard isDue, let text = Self.text(status, waits: waits) else { return nil }
    isDue = false
    return "\(text) \(Self.stopHint)"
  }

  static func text(_ status: Status, waits: Bool) -> Phrase? {
    let outputs = status.outputs.joined(separator: ", ")
    switch status.sensor {
    case .found(let name, _) where !outputs.isEmpty: return "Rotating \(outputs) with the sensor \(name)."
    case .found where waits: return "Waiting for a panel to rotate."
    case .lost where waits && !outputs.isEmpty: return "Waiting for a sensor to rotate \(outputs)."
    default: return nil
    }
  }

  /// Ctrl-C reaches only foreground processes.
  private static var stopHint: Phrase {
    tcgetpgrp(STDERR_FILENO) == getpgrp() ? "Press Ctrl-C to stop." : "To stop: autorotate quit"
  }
}

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
