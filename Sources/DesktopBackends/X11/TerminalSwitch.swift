// SPDX-License-Identifier: MIT

import Autorotation

/// Whether an X server that does not answer may be busy with a switch of virtual terminals. While it gives its terminal
/// away and takes it back it answers nobody, and graphics drivers can need seconds for that.
struct TerminalSwitch {
  /// Whether logind calls this session active.
  private(set) var isInFront = true
  /// Whether the server has its terminal, as last read.
  private var hasTerminal = true
  private var changedAt: Instant?
  private let patience: Duration

  /// - Parameter patience: how long the server may be silent after a switch.
  init(patience: Duration) {
    self.patience = patience
  }

  mutating func sessionChanged(isActive: Bool, at now: Instant) {
    if isActive != isInFront { changedAt = now }
    isInFront = isActive
  }

  mutating func serverReported(hasTerminal: Bool, at now: Instant) {
    if hasTerminal != self.hasTerminal { changedAt = now }
    self.hasTerminal = hasTerminal
  }

  /// Until when silence means nothing; `nil` if it does now. A server that is behind is not waited for by anybody.
  func excuse(at now: Instant) -> Instant? {
    guard isInFront else { return .never }
    let end = changedAt.map { $0 + patience }
    return end.flatMap { now < $0 ? $0 : nil }
  }
}
