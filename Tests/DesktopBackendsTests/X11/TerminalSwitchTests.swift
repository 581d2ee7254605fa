// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("switch of virtual terminals")
@MainActor
struct TerminalSwitchTests {
  private func seconds(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
  private var terminal = TerminalSwitch(patience: .seconds(10))

  @Test func `silence has no excuse without a switch`() {
    #expect(terminal.excuse(at: seconds(0)) == nil)
  }

  @Test mutating func `a session behind another excuses silence without end`() {
    terminal.sessionChanged(isActive: false, at: seconds(1))
    #expect(terminal.excuse(at: seconds(1000)) == .never)
  }

  @Test mutating func `a session in front again excuses it for a while`() {
    terminal.sessionChanged(isActive: false, at: seconds(1))
    terminal.sessionChanged(isActive: true, at: seconds(5))
    #expect(terminal.excuse(at: seconds(14.9)) == seconds(15))
    #expect(terminal.excuse(at: seconds(15)) == nil)
  }

  @Test mutating func `the same said again excuses nothing`() {
    terminal.sessionChanged(isActive: true, at: seconds(1))
    terminal.serverReported(hasTerminal: true, at: seconds(1))
    #expect(terminal.excuse(at: seconds(2)) == nil)
  }

  @Test mutating func `a server that gets its terminal back is excused for a while`() {
    terminal.serverReported(hasTerminal: false, at: seconds(1))
    terminal.serverReported(hasTerminal: true, at: seconds(20))
    #expect(terminal.excuse(at: seconds(21)) == seconds(30))
    #expect(terminal.excuse(at: seconds(31)) == nil)
  }
}
