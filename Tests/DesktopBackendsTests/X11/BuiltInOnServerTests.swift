// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  /// The bench's pen gets an event node, which the test describes in a udev database and kernel directory of its own.
  @Suite("what is built in")
  @MainActor
  struct BuiltIn {
    private static let node = "/dev/input/event90"
    private let place: TemporaryDirectory
    private let input: XInput

    init() throws {
      try Bench.reset()
      place = try TemporaryDirectory()
      input = try #require(try XInput(X11Connection.connect(timeout: EventLoop.limit)))
      try place.write("13:90\n", to: "input/event90/dev")
      try place.write("\(Bench.pen)\n", to: "input/event90/device/name")
      try place.write("E:ID_INPUT_TABLET=1\nE:ID_PATH=pci-0000:00:14.0-usb-0:2:1.0\n", to: "c13:90")
      try setNode()
    }

    private func setNode() throws {
      let pen = try #require(try input.devices().first { $0.name == Bench.pen })
      xcb_input_xi_change_property(
        input.connection.handle, pen.id, UInt8(XCB_PROP_MODE_REPLACE.rawValue), 8,
        input.connection.atoms[.deviceNode], XCB_ATOM_STRING.rawValue, UInt32(Self.node.utf8.count),
        Array(Self.node.utf8) + [0, 0])
      input.connection.flush()
    }

    private func removeNode() {
      Bench.run("xinput delete-prop '\(Bench.pen)' 'Device Node'")
    }

    /// - Parameter rotation: an xrandr rotation to set after the first mapping.
    /// - Returns: the messages.
    private func map(
      bus: String, properties: String, _ integration: TabletIntegration?,
      _ settings: DisplaySettings = DisplaySettings(), rotation: String? = nil
    ) throws -> [Message] {
      defer { removeNode() }
      try place.write("\(bus)\n", to: "input/event90/device/id/bustype")
      try place.write("\(properties)\n", to: "input/event90/device/properties")
      var known = MappedTouchscreens(database: place.path, kernelDirectory: place["input"])
      known.integration = { _ in integration }
      var notes: [Message] = []
      let mapping = TouchMapping(input, settings: settings, touchscreens: known) { notes.append($0) }
      try mapping.findDevices()
      try mapping.updateMatrices(try RandR(input.connection).read(), at: Instant(seconds: 0))
      if let rotation {
        Bench.run("xrandr --output eDP-1 --rotate \(rotation) --output HDMI-1 --pos 1280x0")
        try mapping.updateMatrices(try RandR(input.connection).read(), at: Instant(seconds: 1))
      }
      return notes
    }

    private func isMapped(_ device: String) throws -> Bool {
      let place = try #require(try Bench.state().place(of: "eDP-1"))
      return try Bench.matrix(of: device).isClose(to: TouchMatrix.mapping(to: place))
    }

    @Test(
      arguments: [("0003", "2", .display), ("0003", "1", nil), ("0005", "2", [])]
        as [(String, String, TabletIntegration?)])
    func `an external pen keeps its matrix`(
      _ bus: String, _ properties: String, _ integration: TabletIntegration?
    ) throws {
      #expect(try map(bus: bus, properties: properties, integration) == [])
      #expect(try Bench.matrix(of: Bench.pen) == .identity)
      #expect(try Bench.properties(of: Bench.pen)?.calibration == nil)
      #expect(try isMapped(Bench.touchscreen))
    }

    @Test func `an unknown pen keeps its matrix and is reported`() throws {
      let notes = try map(bus: "0003", properties: "2", nil)
      #expect(notes.map(\.code) == [.touchMisplaced])
      #expect(try Bench.matrix(of: Bench.pen) == .identity)
    }

    @Test(arguments: [("0018", nil), ("0003", [.display, .system])] as [(String, TabletIntegration?)])
    func `a pen that is built in follows the panel`(_ bus: String, _ integration: TabletIntegration?) throws {
      #expect(try map(bus: bus, properties: "2", integration) == [])
      #expect(try isMapped(Bench.pen))
    }

    /// Pens with their bus and libwacom's data.
    enum Pen: String, CaseIterable {
      case builtIn, cintiq, intuos

      var isBuiltIn: Bool { self == .builtIn }
      var bus: String { isBuiltIn ? "0018" : "0003" }
      var properties: String { self == .intuos ? "1" : "2" }
      var integration: TabletIntegration? {
        switch self {
        case .builtIn: nil
        case .cintiq: .display
        case .intuos: []
        }
      }
    }

    @Test(arguments: Pen.allCases, ["left", "inverted", "right"])
    func `only built-in devices follow a rotation`(_ pen: Pen, _ rotation: String) throws {
      let notes = try map(
        bus: pen.bus, properties: pen.properties, pen.integration, rotation: rotation)
      #expect(notes == [])
      #expect(try isMapped(Bench.touchscreen))
      #expect(try isMapped(Bench.pen) == pen.isBuiltIn)
      #expect(try Bench.matrix(of: Bench.pen) == .identity || pen.isBuiltIn)
    }

    @Test func `the settings make an external pen follow`() throws {
      let settings = DisplaySettings(touchDevices: [Bench.pen])
      #expect(try map(bus: "0003", properties: "2", .display, settings) == [])
      #expect(try isMapped(Bench.pen))
    }
  }
}
