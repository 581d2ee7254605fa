// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import Glibc

/// libwayland tells the words of an error only to its log, which is standard error unless it is taken.
enum WaylandLog {
  /// The last line, without its end.
  private(set) static var last = ""

  static func take() {
    wl_log_set_handler_client { format, arguments in
      guard let format, let arguments else { return }
      MainActor.assumeIsolated { WaylandLog.last = "" }
      let line = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let start = buffer.baseAddress, vsnprintf(start, buffer.count, format, arguments) >= 0
        else { return "" }
        return String(cString: start)
      }
      let words = String(line.prefix { !$0.isNewline }).printable()
      MainActor.assumeIsolated { WaylandLog.last = words }
    }
  }
}
