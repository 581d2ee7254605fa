// SPDX-License-Identifier: MIT

import Autorotation

/// Whether an X server that does not answer may be busy with a switch of virtual terminals. While it releases or acquires
/// its terminal it does not answer, and graphics drivers can need seconds for that.
struct TerminalSwitch {
  /// Whether logind reports this session as active.
  private(set) var isSessionActive = true
  /// Whether the server has its terminal, as last read.
  private var hasTerminal = true
  private var changedAt: Instant?
  private let timeout: Duration

  /// - Parameter timeout: how long the server may be silent after a switch.
  init(timeout: Duration) {
    self.timeout = timeout
  }

  mutating func sessionChanged(isActive: Bool, at now: Instant) {
    if isActive != isSessionActive { changedAt = now }
    isSessionActive = isActive
  }

  mutating func serverReported(hasTerminal: Bool, at now: Instant) {
    if hasTerminal != self.hasTerminal { changedAt = now }
    self.hasTerminal = hasTerminal
  }

  /// Until when silence is expected; `nil` if it is a fault now. In an inactive session, silence is always expected.
  func expectedSilenceEnd(at now: Instant) -> Instant? {
    guard isSessionActive else { return .never }
    let end = changedAt.map { $0 + timeout }
    return end.flatMap { now < $0 ? $0 : nil }
  }
}
