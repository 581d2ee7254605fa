// SPDX-License-Identifier: MIT

import CSystemd
import Glibc
package import System

extension EventLoop {
  /// How long until a timer of the loop fires, in nanoseconds; `nil` if none runs. sd-event has one kernel timer per
  /// clock, and sets it before it waits; so this is correct after a `runOnce` that has handled nothing.
  package var nextTimer: Int64? {
    watchedDescriptors.compactMap(Self.timer).min()
  }

  /// What the kernel shows of each descriptor that the loop watches (proc_pid_fdinfo(5)).
  package var watched: [String] { watchedDescriptors.map { Self.lines(of: $0).joined(separator: "\n") } }

  private var watchedDescriptors: [Int32] {
    Self.lines(of: sd_event_get_fd(event)).compactMap { line in
      let words = line.split(separator: " ")
      return words.first == "tfd:" && words.count > 1 ? Int32(words[1]) : nil
    }
  }

  private static func timer(_ descriptor: Int32) -> Int64? {
    let lines = lines(of: descriptor)
    // A timer that has fired shows no remaining time until the loop reads it.
    if lines.contains(where: { $0.hasPrefix("ticks:") && !$0.hasSuffix(" 0") }) { return 0 }
    guard let line = lines.first(where: { $0.hasPrefix("it_value:") }) else { return nil }
    let numbers = line.split { !$0.isNumber }.compactMap { Int64($0) }
    guard numbers.count == 2, numbers != [0, 0] else { return nil }
    return numbers[0].multipliedReportingOverflow(by: 1_000_000_000).overflow
      ? .max : numbers[0] * 1_000_000_000 + numbers[1]
  }

  /// The kernel's information on a descriptor.
  private static func lines(of descriptor: Int32) -> [Substring] {
    let path = "/proc/self/fdinfo/\(descriptor)"
    return SystemFile.text(of: path, maximumBytes: 65536)?.split(separator: "\n") ?? []
  }
}
