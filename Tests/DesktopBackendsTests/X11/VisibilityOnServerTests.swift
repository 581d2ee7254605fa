// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  @Suite("a picture that nobody can see")
  @MainActor
  struct Visibility {
    init() throws {
      try Bench.reset()
    }

    /// Xorg 21.1 says that it tells clients of it, and refuses.
    @Test(arguments: ["standby", "suspend", "off"], [false, true])
    func darkMonitorsAreToldAndLightIsToldAgain(level: String, isToldByServer: Bool) throws {
      Bench.bench("tells-power \(isToldByServer ? "on" : "off")")
      defer { Bench.bench("tells-power off") }
      let running = try RunningBackend()
      Bench.run("xset dpms force \(level)")
      try running.wait("the dark") { running.events.last == .displayPowerChanged(isOn: false) }
      Bench.run("xset dpms force on")
      try running.wait("light") { running.events.last == .displayPowerChanged(isOn: true) }
    }

    @Test func aBlankedScreenIsDark() throws {
      Bench.run("xset s blank")
      let running = try RunningBackend()
      Bench.run("xset s activate")
      try running.wait("the dark") { running.events.last == .displayPowerChanged(isOn: false) }
      Bench.run("xset s reset")
      try running.wait("light") { running.events.last == .displayPowerChanged(isOn: true) }
    }

    @Test func monitorsThatWereDarkBeforeAreTold() throws {
      Bench.run("xset dpms force off")
      let running = try RunningBackend()
      try running.wait("the dark") { running.events.contains(.displayPowerChanged(isOn: false)) }
    }

    /// As when another virtual terminal is shown: Xorg says so by a property, and turns nothing (status 3).
    @Test func aServerWithoutItsTerminalIsDarkAndNotBroken() throws {
      let running = try RunningBackend()
      Bench.setTerminal(false)
      try running.wait("the dark") { running.events.last == .displayPowerChanged(isOn: false) }
      Bench.setTerminal(true)
      try running.wait("light") { running.events.last == .displayPowerChanged(isOn: true) }
    }

    /// The dark is told before the failure that comes of it.
    @Test func aTurnThatFailsInTheDarkTellsTheDarkFirst() throws {
      let running = try RunningBackend()
      Bench.bench("refuse on")
      Bench.setTerminal(false)
      var before: [Event] = []
      var isDone = false
      running.backend.apply(.turned90, to: "eDP-1") { _ in
        before = running.events
        isDone = true
      }
      try running.wait("the failure") { isDone }
      #expect(before.last == .displayPowerChanged(isOn: false))
    }

    /// DPMS before 1.2 tells nothing by itself.
    @Test func aServerThatDoesNotTellOfItsMonitorsIsAskedAtTheNextEvent() throws {
      let connection = try X11Connection.connect(patience: EventLoop.limit)
      let dpms = try #require(try DPMS(connection, newest: (1, 1)))
      #expect(!dpms.tells)
      let visibility = PictureVisibility(connection, try XInput(connection), dpms, nil)
      try visibility.read()
      #expect(visibility.isVisible)
      Bench.run("xset dpms force off")
      visibility.doubt()
      try visibility.read()
      #expect(!visibility.isVisible)
      #expect(!visibility.isStale)
      // The hand that lights a real server's monitors.
      Bench.run("xset dpms force on")
      Bench.bench("mouse 5 5")
      let loop = try EventLoop()
      var isWoken = false
      let source = try loop.watch(connection.descriptor) {
        connection.drainEvents(reading: true) { visibility.absorb($0) }
        isWoken = visibility.isStale
      }
      try loop.wait(for: "an event of the mouse") { isWoken }
      source.cancel()
      _ = connection.replies.beginPass()
      try visibility.read()
      #expect(visibility.isVisible)
    }
  }
}
