// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  @Suite("input devices that are disabled")
  @MainActor
  struct Disabled {
    private static let touchpad = "Bench Touchpad"

    init() throws {
      try Bench.reset()
    }

    private func device(_ name: String) throws -> InputDevice {
      let input = try #require(try XInput(X11Connection.connect(timeout: EventLoop.limit)))
      return try #require(try input.devices().first { $0.name == name })
    }

    private func isEnabled(_ name: String) throws -> Bool { try device(name).isEnabled }

    /// An enabled device with the mark looks as if the user had enabled it.
    @Test func `a device is disabled again before its mark is removed`() throws {
      let connection = try X11Connection.connect(timeout: EventLoop.limit)
      let devices = DisabledDevices(try #require(try XInput(connection)))
      for wanted in [DisabledInput(names: [Self.touchpad]), nil, DisabledInput(names: [Self.touchpad])] {
        devices.wanted = wanted
        try devices.reconcile()
      }
      #expect(try !isEnabled(Self.touchpad))
      devices.stop()
      #expect(try isEnabled(Self.touchpad))
    }

    @Test func `a device that the user enables again stays enabled`() throws {
      let connection = try X11Connection.connect(timeout: EventLoop.limit)
      let devices = DisabledDevices(try #require(try XInput(connection)))
      devices.wanted = DisabledInput(names: [Self.touchpad])
      for isEnabled in [false, false, true] {
        if isEnabled { Bench.run("xinput enable '\(Self.touchpad)'") }
        try devices.reconcile()
        #expect(try device(Self.touchpad).isEnabled == isEnabled && device(Self.touchpad).isMarked)
      }
      devices.wanted = nil
      try devices.reconcile()
      #expect(try device(Self.touchpad).isEnabled && !device(Self.touchpad).isMarked)
    }

    @Test func `a device that another program disabled stays disabled`() throws {
      Bench.run("xinput disable '\(Self.touchpad)'")
      defer { Bench.run("xinput enable '\(Self.touchpad)'") }
      let connection = try X11Connection.connect(timeout: EventLoop.limit)
      let devices = DisabledDevices(try #require(try XInput(connection)))
      for wanted in [DisabledInput(names: [Self.touchpad]), nil] {
        devices.wanted = wanted
        try devices.reconcile()
        #expect(try !device(Self.touchpad).isEnabled && !device(Self.touchpad).isMarked)
      }
    }

    @Test func `a touchscreen stays enabled even if named`() throws {
      let running = try RunningBackend()
      _ = running.backend.disable(DisabledInput(names: ["*touch*"]))
      try running.wait("the touchpad") { try !isEnabled(Self.touchpad) }
      #expect(try isEnabled(Bench.touchscreen))
      running.backend.stop()
      #expect(try isEnabled(Self.touchpad))
    }

    @Test func `a touchscreen that an older version left disabled is enabled`() throws {
      let mark = "Autorotate Disabled"
      Bench.run("xinput set-prop --type=int --format=8 '\(Bench.touchscreen)' '\(mark)' 1")
      Bench.run("xinput disable '\(Bench.touchscreen)'")
      #expect(try device(Bench.touchscreen).isMarked)
      let running = try RunningBackend()
      try running.wait("the touchscreen") {
        let touchscreen = try device(Bench.touchscreen)
        return touchscreen.isEnabled && !touchscreen.isMarked
      }
    }
  }
}
