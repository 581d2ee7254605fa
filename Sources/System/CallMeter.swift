// SPDX-License-Identifier: MIT

/// How often a caller may call: calls come in one queue, and those of one who calls without end would be
/// answered before anybody else's.
nonisolated struct CallMeter {
  private struct Caller {
    var left: Double
    /// Nanoseconds since boot.
    var since: Int64
  }

  /// More callers than that at the same time are not told apart.
  private static let mostCallers = 1024

  private let perSecond: Double
  private let burst: Double
  private var callers: [String: Caller] = [:]

  /// - Parameter perSecond: for long; for a moment twice as many.
  init(perSecond: Int) {
    self.perSecond = Double(perSecond)
    burst = 2 * Double(perSecond)
  }

  /// Counts a call.
  /// - Returns: whether it is one too many.
  mutating func refuses(_ sender: String, at now: Int64) -> Bool {
    if callers[sender] == nil { makeRoom(at: now) }
    var caller = callers[sender] ?? Caller(left: burst, since: now)
    caller.left = left(of: caller, at: now)
    caller.since = now
    let isTooMany = caller.left < 1
    if !isTooMany { caller.left -= 1 }
    callers[sender] = caller
    return isTooMany
  }

  private func left(of caller: Caller, at now: Int64) -> Double {
    min(burst, caller.left + Double(now - caller.since) / 1e9 * perSecond)
  }

  /// Who has not called for two seconds is as good as new.
  private mutating func makeRoom(at now: Int64) {
    guard callers.count >= Self.mostCallers else { return }
    callers = callers.filter { left(of: $0.value, at: now) < burst }
    if callers.count >= Self.mostCallers { callers = [:] }
  }
}
