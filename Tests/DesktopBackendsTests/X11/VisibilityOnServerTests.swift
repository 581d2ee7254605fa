// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  @Suite("visibility of the screen")
  @MainActor
  struct Visibility {
    init() throws {
      try Bench.reset()
    }

    @Test(arguments: ["standby", "suspend", "off"])
    func `monitors going off and on are reported`(level: String) throws {
      let running = try RunningBackend()
      Bench.run("xset dpms force \(level)")
      try running.wait("off") { running.events.last == .displayPowerChanged(isOn: false) }
      Bench.run("xset dpms force on")
      try running.wait("on") { running.events.last == .displayPowerChanged(isOn: true) }
    }

    @Test func `a blanked screen is reported as off`() throws {
      Bench.run("xset s blank")
      let running = try RunningBackend()
      Bench.run("xset s activate")
      try running.wait("off") { running.events.last == .displayPowerChanged(isOn: false) }
      Bench.run("xset s reset")
      try running.wait("on") { running.events.last == .displayPowerChanged(isOn: true) }
    }

    @Test func `monitors that are off at the start are reported`() throws {
      Bench.run("xset dpms force off")
      let running = try RunningBackend()
      try running.wait("off") { running.events.contains(.displayPowerChanged(isOn: false)) }
    }

    /// As while another virtual terminal is active: Xorg reports that by a property, and does not rotate (status 3).
    @Test func `a server without its terminal is reported as off`() throws {
      let running = try RunningBackend()
      Bench.setTerminal(false)
      try running.wait("off") { running.events.last == .displayPowerChanged(isOn: false) }
      Bench.setTerminal(true)
      try running.wait("on") { running.events.last == .displayPowerChanged(isOn: true) }
    }

    /// The failure is a consequence of the lost terminal.
    @Test func `the screen is reported as off before the rotation fails`() throws {
      let running = try RunningBackend()
      Bench.bench("refuse on")
      Bench.setTerminal(false)
      var before: [Event] = []
      var isDone = false
      running.backend.apply(.rotated90, to: "eDP-1") { _ in
        before = running.events
        isDone = true
      }
      try running.wait("the failure") { isDone }
      #expect(before.last == .displayPowerChanged(isOn: false))
    }

    /// While it shows nothing, the server reports that.
    @Test func `only a screen saver's image hides the power`() throws {
      defer { Bench.run("xset s reset; xset s blank") }
      let connection = try X11Connection.connect(timeout: EventLoop.limit)
      let dpms = try #require(try DPMS(connection))
      let saver = try #require(try ScreenSaver(connection))
      let visibility = ScreenVisibility(connection, try XInput(connection), dpms, saver)
      var event = xcb_generic_event_t()
      event.response_type = UInt8(XCB_KEY_PRESS)
      Bench.run("xset s reset; xset s noblank")
      try visibility.read()
      visibility.markStale(by: &event)
      #expect(!visibility.isStale)
      Bench.run("xset s activate")
      try visibility.read()
      visibility.markStale(by: &event)
      #expect(visibility.isStale && visibility.isVisible)
      Bench.run("xset s reset; xset s blank; xset s activate")
      try visibility.read()
      visibility.markStale(by: &event)
      #expect(!visibility.isStale && !visibility.isVisible)
    }

    @Test func `without power events the next event reads the power`() throws {
      let connection = try X11Connection.connect(timeout: EventLoop.limit)
      let dpms = try #require(try DPMS(connection))
      let visibility = ScreenVisibility(connection, try XInput(connection), dpms, nil)
      try visibility.read()
      #expect(visibility.isVisible)
      Bench.run("xset dpms force off")
      visibility.isStale = true
      try visibility.read()
      #expect(!visibility.isVisible)
      #expect(!visibility.isStale)
      // Input, which switches on the monitors of a real server.
      Bench.run("xset dpms force on")
      Bench.bench("mouse 5 5")
      let loop = try EventLoop()
      var isWoken = false
      let source = try loop.watch(connection.descriptor) {
        connection.drainEvents(reading: true) { visibility.markStale(by: $0) }
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
