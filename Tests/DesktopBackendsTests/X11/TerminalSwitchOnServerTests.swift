// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

extension OnServer {
  /// An X server does not answer while the virtual terminal is switched.
  @Suite("a server that does not answer during a terminal switch")
  @MainActor
  struct TerminalSwitching {
    init() throws {
      try Bench.reset()
    }

    private func waitForSilence(_ running: RunningBackend) throws {
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      try running.wait("the silence") { running.events.last == .displayPowerChanged(isOn: false) }
    }

    private func reports(_ running: RunningBackend) -> Int {
      running.notes.sentences.filter { $0.contains("does not answer") }.count
    }

    @Test func `silence of an inactive session is not reported`() throws {
      let running = try RunningBackend(timeouts: X11Timeouts())
      running.backend.sessionChanged(isActive: false)
      let server = try StoppedServer()
      try waitForSilence(running)
      server.resume()
      try running.wait("the answers") { running.events.last == .displayPowerChanged(isOn: true) }
      #expect(reports(running) == 0)
    }

    @Test func `silence that outlasts the switch is reported once`() throws {
      var timeouts = X11Timeouts()
      timeouts.terminalSwitch = 50_000_000
      let running = try RunningBackend(timeouts: timeouts)
      running.backend.sessionChanged(isActive: false)
      let server = try StoppedServer()
      try waitForSilence(running)
      #expect(reports(running) == 0)
      running.backend.sessionChanged(isActive: true)
      try running.wait("the report") { reports(running) == 1 }
      running.backend.sessionChanged(isActive: false)
      running.backend.sessionChanged(isActive: true)
      server.resume()
      try running.wait("the answers") { running.events.last == .displayPowerChanged(isOn: true) }
      #expect(reports(running) == 1)
    }
  }
}
