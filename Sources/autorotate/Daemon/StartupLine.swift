// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The one line that a daemon prints on a terminal when it has started.
struct StartupLine {
  private var isDue = isatty(STDERR_FILENO) == 1

  /// - Parameter waits: whether the daemon waits for a sensor and a panel.
  /// - Returns: `nil` if it is too early, was printed already, or nobody reads it.
  mutating func text(for status: Status, waits: Bool) -> Phrase? {
    guard isDue, let text = Self.text(status, waits: waits) else { return nil }
    isDue = false
    return "\(text) \(Self.wayOut)"
  }

  static func text(_ status: Status, waits: Bool) -> Phrase? {
    let outputs = status.outputs.joined(separator: ", ")
    switch status.sensor {
    case .found(let name, _) where !outputs.isEmpty: return "\(outputs) follows the sensor \(name)."
    case .found where waits: return "Waiting for a panel to rotate."
    case .lost where waits && !outputs.isEmpty: return "Waiting for a sensor to rotate \(outputs)."
    default: return nil
    }
  }

  /// Ctrl-C reaches only what runs in the foreground.
  private static var wayOut: Phrase {
    tcgetpgrp(STDERR_FILENO) == getpgrp() ? "Ctrl-C stops it." : "To stop it: autorotate quit"
  }
}
