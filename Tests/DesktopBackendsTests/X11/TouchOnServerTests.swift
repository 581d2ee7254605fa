// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Testing

@testable import DesktopBackends

extension OnServer {
  @Suite("touch and pen")
  @MainActor
  struct Touch {
    init() throws {
      try Bench.reset()
    }

    private func expectMapped(
      _ device: String, calibration: ProjectiveTransform = .identity,
      location: SourceLocation = #_sourceLocation
    ) throws {
      let place = try #require(try Bench.state().place(of: "eDP-1"))
      let expected = TouchMatrix.mapping(to: place, calibration: calibration)
      let actual = try Bench.matrix(of: device)
      #expect(actual.isClose(to: expected), "\(device): \(actual)", sourceLocation: location)
    }

    @Test func `touchscreen and pen follow every rotation of either output`() throws {
      let running = try RunningBackend()
      for output in ["eDP-1", "HDMI-1"] {
        for transform in [.rotated90, .rotated180, .rotated270, .none] as [DisplayTransform] {
          try running.rotate(output, transform).get()
          try expectMapped(Bench.touchscreen)
          try expectMapped(Bench.pen)
        }
      }
    }

    /// The number of requests from the begin of a rotation to its completion.
    private func requests(_ settings: DisplaySettings) throws -> UInt32 {
      let running = try RunningBackend(settings: settings)
      try running.rotate("eDP-1", .rotated90).get()
      try running.wait("the report of the rotation") { running.outputs.first?.transform == .rotated90 }
      let handle = try #require(running.backend.session).connection.handle
      let (first, last) = (xcb_no_operation(handle).sequence, Sequence())
      running.backend.apply(.none, to: "eDP-1") { _ in last.number = xcb_no_operation(handle).sequence }
      try running.wait("the end of a rotation") { last.number != nil }
      return try #require(last.number) - first
    }

    private final class Sequence {
      var number: UInt32?
    }

    @Test func `a rotation reads back only the matrix of each device`() throws {
      let one = try requests(DisplaySettings(ignoredDevices: [Bench.pen]))
      let two = try requests(DisplaySettings())
      // Reads three properties, sets the matrix, and reads it again.
      #expect(two - one == 5)
    }

    @Test func `mouse and touchpad are not mapped`() throws {
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      #expect(try Bench.matrix(of: "Bench Mouse") == .identity)
      #expect(try Bench.matrix(of: "Bench Touchpad") == .identity)
      #expect(try Bench.properties(of: "Bench Touchpad")?.calibration == nil)
    }

    @Test func `touch follows a layout change of another program`() throws {
      let running = try RunningBackend()
      Bench.run("xrandr --output HDMI-1 --below eDP-1")
      try running.wait("the new layout") {
        try Bench.matrix(of: Bench.touchscreen).isClose(to: .identity) == false
          && TouchMatrix.mapping(to: #require(try Bench.state().place(of: "eDP-1")))
            .isClose(to: Bench.matrix(of: Bench.touchscreen))
      }
      try expectMapped(Bench.pen)
    }

    @Test func `a new device is mapped`() throws {
      let running = try RunningBackend()
      // Like a new device: without our property, and with the server's default matrix.
      Bench.run("xinput delete-prop '\(Bench.touchscreen)' 'Autorotate Calibration'")
      Bench.setMatrix(of: Bench.touchscreen, .identity)
      Bench.run("xinput create-master Bench-Arrival")
      try running.wait("the device to be mapped") {
        try Bench.properties(of: Bench.touchscreen)?.calibration != nil
      }
      try expectMapped(Bench.touchscreen)
      Bench.run("xinput remove-master 'Bench-Arrival pointer'")
    }

    @Test func `a calibration survives a restart of the daemon`() throws {
      let calibration = ProjectiveTransform(rows: (1.1, 0, -0.05), (0, 0.9, 0.08))
      Bench.setMatrix(of: Bench.touchscreen, calibration)
      try RunningBackend().rotate("eDP-1", .rotated90).get()
      try expectMapped(Bench.touchscreen, calibration: calibration)
      let restarted = try RunningBackend()
      try expectMapped(Bench.touchscreen, calibration: calibration)
      try restarted.rotate("eDP-1", .rotated270).get()
      try expectMapped(Bench.touchscreen, calibration: calibration)
      try restarted.rotate("eDP-1", .none).get()
      try expectMapped(Bench.touchscreen, calibration: calibration)
    }

    @Test func `another program's mapping is overwritten and reported`() throws {
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      Bench.run("xinput map-to-output '\(Bench.touchscreen)' HDMI-1")
      try running.rotate("eDP-1", .none).get()
      try expectMapped(Bench.touchscreen)
      #expect(running.notes.sentences.count == 1)
      #expect(running.notes.sentences.first?.contains(Bench.touchscreen) == true)
    }

    @Test func `a rotation by the wacom driver is reset`() throws {
      Bench.run("xinput set-prop --type=int --format=8 '\(Bench.pen)' 'Wacom Rotation' 1")
      try RunningBackend().rotate("eDP-1", .rotated90).get()
      #expect(try Bench.properties(of: Bench.pen)?.wacomRotation == 0)
      try expectMapped(Bench.pen)
    }

    @Test func `the settings include and ignore devices`() throws {
      let named = try RunningBackend(settings: DisplaySettings(touchDevices: ["bench pen"]))
      try named.rotate("eDP-1", .rotated90).get()
      try expectMapped(Bench.pen)
      #expect(try Bench.matrix(of: Bench.touchscreen) == .identity)
      try Bench.reset()
      let ignoring = try RunningBackend(settings: DisplaySettings(ignoredDevices: [Bench.pen]))
      try ignoring.rotate("eDP-1", .rotated90).get()
      try expectMapped(Bench.touchscreen)
      #expect(try Bench.matrix(of: Bench.pen) == .identity)
    }

    @Test func `a device that is ignored later gets its matrix back`() throws {
      let calibration = ProjectiveTransform(rows: (1.1, 0, -0.05), (0, 0.9, 0.08))
      Bench.setMatrix(of: Bench.pen, calibration)
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      try expectMapped(Bench.pen, calibration: calibration)
      running.backend.use(DisplaySettings(ignoredDevices: [Bench.pen]))
      try running.wait("the release") { try Bench.properties(of: Bench.pen)?.calibration == nil }
      #expect(try Bench.matrix(of: Bench.pen).isClose(to: calibration))
      try expectMapped(Bench.touchscreen)
    }

    @Test func `a named mouse is not mapped`() throws {
      let running = try RunningBackend(settings: DisplaySettings(touchDevices: ["Bench Mouse"]))
      try running.rotate("eDP-1", .rotated90).get()
      #expect(try Bench.matrix(of: "Bench Mouse") == .identity)
    }

    @Test func `the first touch and the last end are reported`() throws {
      let running = try RunningBackend()
      Bench.bench("down 1 0.5 0.5")
      try running.wait("the first finger") { running.events.contains(.touchBegan) }
      Bench.bench("down 2 0.6 0.5")
      Bench.bench("up 1")
      Bench.bench("tap 0.2 0.2")
      Bench.bench("up 2")
      try running.wait("the last finger") { running.events.contains(.touchEnded) }
      #expect(running.events.filter { $0 == .touchBegan || $0 == .touchEnded } == [.touchBegan, .touchEnded])
    }
  }
}
