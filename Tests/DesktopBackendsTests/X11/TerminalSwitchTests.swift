// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("switch of virtual terminals")
@MainActor
struct TerminalSwitchTests {
  private func seconds(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
  private var terminal = TerminalSwitch(timeout: .seconds(10))

  @Test func `silence is a fault without a switch`() {
    #expect(terminal.expectedSilenceEnd(at: seconds(0)) == nil)
  }

  @Test mutating func `silence of an inactive session is always expected`() {
    terminal.sessionChanged(isActive: false, at: seconds(1))
    #expect(terminal.expectedSilenceEnd(at: seconds(1000)) == .never)
  }

  @Test mutating func `silence is expected for a while after activation`() {
    terminal.sessionChanged(isActive: false, at: seconds(1))
    terminal.sessionChanged(isActive: true, at: seconds(5))
    #expect(terminal.expectedSilenceEnd(at: seconds(14.9)) == seconds(15))
    #expect(terminal.expectedSilenceEnd(at: seconds(15)) == nil)
  }

  @Test mutating func `a repeated report is no switch`() {
    terminal.sessionChanged(isActive: true, at: seconds(1))
    terminal.serverReported(hasTerminal: true, at: seconds(1))
    #expect(terminal.expectedSilenceEnd(at: seconds(2)) == nil)
  }

  @Test mutating func `silence is expected for a while after acquiring the terminal`() {
    terminal.serverReported(hasTerminal: false, at: seconds(1))
    terminal.serverReported(hasTerminal: true, at: seconds(20))
    #expect(terminal.expectedSilenceEnd(at: seconds(21)) == seconds(30))
    #expect(terminal.expectedSilenceEnd(at: seconds(31)) == nil)
  }
}
