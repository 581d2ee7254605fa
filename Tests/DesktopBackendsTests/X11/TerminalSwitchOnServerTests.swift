// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

extension OnServer {
  /// An X server answers nobody while the virtual terminal is switched.
  @Suite("a server that does not answer during a terminal switch")
  @MainActor
  struct TerminalSwitching {
    init() throws {
      try Bench.reset()
    }

    private func silent(_ running: RunningBackend) throws {
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      try running.wait("the silence") { running.events.last == .displayPowerChanged(isOn: false) }
    }

    private func complaints(_ running: RunningBackend) -> Int {
      running.notes.sentences.filter { $0.contains("does not answer") }.count
    }

    @Test func `silence behind another session is not reported`() throws {
      let running = try RunningBackend(patience: X11Patience())
      running.backend.sessionChanged(isActive: false)
      let server = try StoppedServer()
      try silent(running)
      server.goOn()
      try running.wait("the answers") { running.events.last == .displayPowerChanged(isOn: true) }
      #expect(complaints(running) == 0)
    }

    @Test func `silence that outlasts the switch is reported once`() throws {
      var patience = X11Patience()
      patience.terminalSwitch = 50_000_000
      let running = try RunningBackend(patience: patience)
      running.backend.sessionChanged(isActive: false)
      let server = try StoppedServer()
      try silent(running)
      #expect(complaints(running) == 0)
      running.backend.sessionChanged(isActive: true)
      try running.wait("the complaint") { complaints(running) == 1 }
      running.backend.sessionChanged(isActive: false)
      running.backend.sessionChanged(isActive: true)
      server.goOn()
      try running.wait("the answers") { running.events.last == .displayPowerChanged(isOn: true) }
      #expect(complaints(running) == 1)
    }
  }
}
