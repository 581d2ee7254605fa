// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing

@testable import DesktopBackends

@Suite("Mutter's state", .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct MonitorStateTests {
  private let mutter: FakeMutter

  init() throws {
    mutter = try FakeMutter(on: PrivateBus(), places: GNOMEFixture.besideEachOther)
  }

  private func complaint(_ change: (FakeMutter) -> Void) -> String {
    change(mutter)
    do {
      _ = try MonitorState(mutter.state)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func isImpossible(_ change: (FakeMutter) -> Void) -> Bool {
    complaint(change) == "it describes impossible monitors"
  }

  @Test func `the state is read`() throws {
    let state = try MonitorState(mutter.state)
    #expect(state.serial == 2)
    #expect(state.layoutMode == .physical)
    #expect(state.logicalMonitors.map(\.connectors) == [["eDP-1"], ["HDMI-1"]])
    #expect(state.monitors[0].currentMode?.id == "1920x1080@60.000")
    #expect(state.outputs { _ in .topUp }.panelName(chosen: nil) == "eDP-1")
    #expect(state.outputs { _ in .topUp }.panelName(chosen: "HDMI-1") == "HDMI-1")
  }

  @Test func `a state without monitors is valid`() throws {
    mutter.places = []
    #expect(try MonitorState(mutter.state).outputs { _ in .topUp }.isEmpty)
  }

  @Test func `impossible states are refused`() {
    #expect(isImpossible { $0.places[0].transform = 8 })
    #expect(isImpossible { $0.places[0].transform = .max })
    mutter.places[0].transform = 0
    #expect(isImpossible { $0.places[0].x = .max })
    mutter.places[0].x = 0
    for scale in [0, -1, .nan, .infinity, 1e9] {
      #expect(isImpossible { $0.places[0].scale = scale }, "\(scale)")
    }
    mutter.places[0].scale = 1
    for width in [0, -1920, .max] as [Int32] {
      #expect(isImpossible { $0.places[0].width = width }, "\(width)")
    }
    mutter.places[0].width = 1920
    #expect(complaint { $0.layoutMode = 3 }.contains("layout mode"))
    mutter.layoutMode = 1
    #expect(isImpossible { $0.places[0].connectors = [] })
    #expect(isImpossible { $0.places[0].connectors = ["HDMI-1"] })
    mutter.places[0].connectors = ["eDP-1"]
    #expect(isImpossible { $0.places = Array(repeating: $0.places[0], count: 65) })
  }

  private static let pixels: [(Int32, Bool)] = [(1, true), (65_535, true), (65_536, false)]
  private static let places: [(Int32, Bool)] = [
    (1_000_000, true), (1_000_001, false), (-1_000_000, true), (-1_000_001, false),
  ]

  @Test func `numbers are refused beyond their limits`() {
    let isRead = { (change: (inout FakeMutter.Place) -> Void) in
      let before = mutter.places[0]
      defer { mutter.places[0] = before }
      return complaint { change(&$0.places[0]) }.isEmpty
    }
    for (number, isValid) in Self.pixels {
      #expect(
        isRead { $0.width = number } == isValid && isRead { $0.height = number } == isValid, "\(number)")
    }
    for (number, isValid) in Self.places {
      #expect(isRead { $0.x = number } == isValid && isRead { $0.y = number } == isValid, "\(number)")
    }
    for (scale, isValid) in [(0.1, true), (0.09, false), (100, true), (100.5, false)] {
      #expect(isRead { $0.scale = scale } == isValid, "\(scale)")
    }
    #expect(isRead { $0.transform = 7 })
  }

  @Test func `a state has 64 monitors at most`() {
    let place = mutter.places[0]
    mutter.places = (0..<64).map { number in
      var place = place
      place.connectors = ["DP-\(number)"]
      return place
    }
    #expect(complaint { _ in }.isEmpty)
    #expect(isImpossible { $0.places.append(place) })
    var values = mutter.state
    guard case .array(let type, _) = values[2] else { return #expect(Bool(false)) }
    values[2] = .array(of: type, [])
    #expect(throws: InvalidState("it describes impossible monitors")) { try MonitorState(values) }
  }

  @Test func `values of wrong types are refused`() throws {
    mutter.layoutProperties = ["layout-mode": .string("logical")]
    #expect(complaint { _ in }.contains("type s"))
  }

  /// A peer may send any values of the right types.
  @Test func `a logical monitor without its monitor is refused`() throws {
    var values = mutter.state
    values[1] = .array(of: "((ssss)a(siiddada{sv})a{sv})", [])
    #expect(throws: InvalidState.self) { try MonitorState(values) }
  }

  @Test func `a monitor that shows two places is refused`() throws {
    var values = mutter.state
    guard case .array(let type, let places) = values[2] else { return #expect(Bool(false)) }
    values[2] = .array(of: type, places + places)
    #expect(throws: InvalidState("it describes impossible monitors")) { try MonitorState(values) }
  }

  @Test func `an answer of another type is refused`() {
    #expect(throws: InvalidState("it has the type “us”")) {
      try MonitorState([.uint32(1), .string("")])
    }
  }

  @Test func `older versions are recognized by the connector name`() throws {
    mutter.places[0].connectors = ["DSI-1"]
    mutter.monitorProperties = ["DSI-1": ["is-builtin": .string("?")]]
    #expect(try MonitorState(mutter.state).outputs { _ in .topUp }.map(\.isBuiltIn) == [true, false])
  }
}
