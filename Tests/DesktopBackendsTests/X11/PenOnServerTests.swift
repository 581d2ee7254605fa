// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  @Suite("a pen near the panel")
  @MainActor
  struct Pen {
    private static let watching = DisplaySettings(watchesPens: true)

    init() throws {
      Bench.bench("away")
      try Bench.reset()
    }

    private func isEnabled(_ name: String) throws -> Bool {
      let input = try #require(try XInput(X11Connection.connect(patience: EventLoop.limit)))
      return try #require(try input.devicesWithProperties().first { $0.name == name }).isEnabled
    }

    private func isMarked(_ name: String) throws -> Bool {
      let input = try #require(try XInput(X11Connection.connect(patience: EventLoop.limit)))
      return try #require(try input.devicesWithProperties().first { $0.name == name }).isMarked
    }

    private func pens(_ running: RunningBackend) -> [Event] {
      running.events.filter { $0 == .penCame || $0 == .penLeft }
    }

    @Test func itComesAndLeaves() throws {
      let running = try RunningBackend(settings: Self.watching)
      for times in 1...2 {
        Bench.bench("pen 0.5 0.5")
        Bench.bench("pen 0.6 0.5")
        try running.wait("a pen") { pens(running).count == 2 * times - 1 }
        Bench.bench("away")
        try running.wait("no pen") { pens(running).count == 2 * times }
      }
      #expect(pens(running) == [.penCame, .penLeft, .penCame, .penLeft])
    }

    @Test func nobodyListensUnlessItIsWanted() throws {
      let running = try RunningBackend()
      Bench.bench("pen 0.5 0.5")
      try running.turn("eDP-1", .turned90).get()
      #expect(pens(running) == [])
      running.backend.use(Self.watching)
      // Which pens there are is known with the next turn at the latest.
      try running.turn("eDP-1", .none).get()
      Bench.bench("pen 0.6 0.5")
      try running.wait("the pen") { pens(running) == [.penCame] }
      running.backend.use(DisplaySettings())
      try running.wait("that nobody listens") { pens(running) == [.penCame, .penLeft] }
    }

    @Test func mouseAndFingerAreNoPens() throws {
      let running = try RunningBackend(settings: Self.watching)
      Bench.bench("mouse 5 5")
      Bench.bench("tap 0.3 0.3")
      try running.wait("the finger") { running.events.contains(.touchEnded) }
      #expect(pens(running) == [])
    }

    @Test func touchIsSwitchedOffAndOn() throws {
      let running = try RunningBackend()
      for _ in 1...20 {
        running.backend.switchTouch(isOn: false)
        try running.wait("off") { try !isEnabled(Bench.touchscreen) }
        #expect(try isEnabled(Bench.pen))
        running.backend.switchTouch(isOn: true)
        try running.wait("on") { try isEnabled(Bench.touchscreen) }
      }
      try running.wait("no mark") { try !isMarked(Bench.touchscreen) }
    }

    /// Enabled, and with our mark on it, it looks as if the person had switched it on.
    @Test func aPenThatComesBackBeforeTheMarkIsGoneSwitchesItOffAllTheSame() throws {
      let connection = try X11Connection.connect(patience: EventLoop.limit)
      let devices = DisabledDevices(
        try #require(try XInput(connection)), settings: DisplaySettings())
      devices.isTouchOff = true
      try devices.settle()
      devices.isTouchOff = false
      try devices.settle()
      devices.isTouchOff = true
      try devices.settle()
      #expect(try !isEnabled(Bench.touchscreen))
      devices.stop()
      #expect(try isEnabled(Bench.touchscreen))
    }

    @Test func aFingerThatIsDownThenIsGone() throws {
      let running = try RunningBackend()
      Bench.bench("down 1 0.5 0.5")
      try running.wait("the finger") { running.events.contains(.touchBegan) }
      running.backend.switchTouch(isOn: false)
      try running.wait("no finger") { running.events.contains(.touchEnded) }
      running.backend.switchTouch(isOn: true)
      try running.wait("on") { try isEnabled(Bench.touchscreen) }
    }

    @Test func eachHasItsOwnReason() throws {
      let running = try RunningBackend()
      _ = running.backend.disable(DisabledInput(names: ["*touch*"]))
      try running.wait("the touchpad") { try !isEnabled("Bench Touchpad") }
      #expect(try isEnabled(Bench.touchscreen))
      running.backend.switchTouch(isOn: false)
      try running.wait("the touchscreen") { try !isEnabled(Bench.touchscreen) }
      _ = running.backend.disable(nil)
      try running.wait("the touchpad again") { try isEnabled("Bench Touchpad") }
      #expect(try !isEnabled(Bench.touchscreen))
      running.backend.stop()
      #expect(try isEnabled(Bench.touchscreen))
      #expect(try !isMarked(Bench.touchscreen))
    }

    @Test func whatIsIgnoredStaysOn() throws {
      let running = try RunningBackend(settings: DisplaySettings(ignoredDevices: ["*screen"]))
      running.backend.switchTouch(isOn: false)
      try running.turn("eDP-1", .turned90).get()
      try running.turn("eDP-1", .none).get()
      #expect(try isEnabled(Bench.touchscreen))
    }
  }
}

/// What the X server says of a device's state.
struct PenStateTests {
  private func saysAway(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { XInput.saysAway($0) }
  }

  @Test func theModeOfTheValuatorsTells() {
    let buttons: [UInt8] = [1, 4, 0, 0]
    #expect(saysAway(buttons + [2, 8, 1, 2, 0, 0, 0, 0]))
    #expect(saysAway([2, 4, 0, 3]))
    #expect(!saysAway(buttons + [2, 8, 1, 1, 0, 0, 0, 0]))
    #expect(!saysAway([2, 4, 0, 0]))
  }

  @Test func nonsenseIsNoWord() {
    for bytes: [UInt8] in [[], [2], [2, 0, 0, 2], [1, 0, 2, 4], [1, 3, 0, 2, 4, 0, 2], [2, 40, 0, 2]] {
      #expect(!saysAway(bytes))
    }
  }
}
