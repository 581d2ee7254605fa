// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing

@testable import DesktopBackends

@Suite("placement of touchscreens")
@MainActor
struct TouchPlacementTests {
  private static let panels = ["eDP-1", "eDP-2"].map {
    Output(name: $0, isBuiltIn: true, width: 2880, height: 1800)
  }
  private static let monitor = Output(
    name: "DP-1", isBuiltIn: false, isExternal: true, width: 1920, height: 1080)

  private func place(
    _ name: String = "Touch", output: String? = nil, size: PhysicalSize? = nil, of outputs: [Output] = panels,
    map: [TouchAssignment] = [], chosen: OutputChoice = nil, sizes: [String: PhysicalSize?] = [:]
  ) -> TouchPlacement.Place {
    let settings = DisplaySettings(output: chosen, touchMap: map)
    return TouchPlacement(outputs: outputs, settings: settings) { sizes[$0] ?? nil }
      .place(of: MappedTouchscreens.Device(name: name, output: output, size: size), named: [name])
  }

  @Test func `the only panel gets the touchscreen`() {
    #expect(place(of: [Self.panels[1], Self.monitor]) == .on("eDP-2"))
  }

  @Test func `two panels are not guessed`() {
    #expect(place() == .unknown(among: ["eDP-1", "eDP-2"]))
    #expect(place(of: Self.panels.reversed()) == .unknown(among: ["eDP-1", "eDP-2"]))
  }

  @Test func `a panel that is off keeps its touchscreen`() {
    var panels = Self.panels
    panels[1].isActive = false
    #expect(place(of: panels) == .unknown(among: ["eDP-1", "eDP-2"]))
    #expect(place(output: "eDP-2", of: panels) == .on("eDP-2"))
  }

  @Test func `the only rotated panel does not get the other's touchscreen`() {
    #expect(place(chosen: "eDP-1") == .unknown(among: ["eDP-1", "eDP-2"]))
    let all = Self.panels + [Self.monitor]
    #expect(place(of: all, chosen: "DP-1") == .unknown(among: ["eDP-1", "eDP-2"]))
    #expect(place(output: "DP-1", of: all, chosen: "DP-1") == .on("DP-1"))
    #expect(place(of: [Self.monitor], chosen: "DP-1") == .on("DP-1"))
  }

  private func remark(
    stored: String?, map: [TouchAssignment] = [], of outputs: [Output] = panels,
    on device: MappedTouchscreens.Device? = nil
  ) -> Message {
    TouchPlacement(outputs: outputs, settings: DisplaySettings(touchMap: map)) { _ in nil }
      .remark(on: device, named: "Touch", stored: stored, by: "KWin") { "map \($0)" }
  }

  @Test func `a mapping that the desktop stores is shown`() {
    #expect(remark(stored: "eDP-2").description == "“Touch” is mapped to eDP-2 in the settings of KWin")
    #expect(remark(stored: "DP-9").next?.description == "if its input lands elsewhere, run `map eDP-1`")
    let absent = remark(stored: nil, map: [TouchAssignment("T*", on: "eDP-5")])
    #expect(absent.description.contains("eDP-5, which does not exist"))
    let mapped = remark(stored: "eDP-1", map: [TouchAssignment("T*", on: "eDP-2")])
    #expect(mapped.code == .touchFollows && mapped.description.contains("eDP-2"))
  }

  @Test func `a device without a mapping needs one only with two panels`() {
    #expect(remark(stored: nil, of: [Self.panels[0], Self.monitor]).next == nil)
    #expect(remark(stored: nil, of: [Self.monitor]).code == .touchFollows)
    let remark = remark(stored: nil)
    #expect(remark.code == .touchMisplaced && remark.description.contains("the wrong one of eDP-1, eDP-2"))
    #expect(remark.next?.description.contains("run `map eDP-1`") == true)
  }

  @Test func `with one panel the desktop needs no mapping`() {
    let device = MappedTouchscreens.Device(
      name: "Touch", isDirect: true, isOnBoard: KernelInput.isOnBoard(bus: 3, path: "", usbPorts: []))
    let outputs = [Self.panels[0], Self.monitor]
    let placement = TouchPlacement(outputs: outputs, settings: DisplaySettings()) { _ in nil }
    #expect(placement.place(of: device, named: ["Touch"]) == .unknown(among: ["eDP-1"]))
    #expect(remark(stored: nil, of: outputs, on: device).code == .touchFollows)
  }

  @Test func `the udev property decides`() {
    #expect(place(output: "eDP-2") == .on("eDP-2"))
    #expect(place(output: "DP-1", of: Self.panels + [Self.monitor]) == .on("DP-1"))
    #expect(place(output: "DP-9") == .unknown(among: ["eDP-1", "eDP-2"]), "there is no such output")
  }

  @Test func `the settings have priority over udev`() {
    let map = [TouchAssignment("*RAYD0002*", on: "eDP-2"), TouchAssignment("*", on: "eDP-1")]
    #expect(place("RAYD0002:00 2386:1", output: "eDP-1", map: map) == .on("eDP-2"))
    #expect(place("rayd0001", map: map) == .on("eDP-1"))
    #expect(place(map: [TouchAssignment("T*", on: "eDP-5")]) == .absent("eDP-5"))
  }

  @Test func `different sizes identify the panel`() {
    let sizes = [
      "eDP-1": PhysicalSize(width: 344, height: 193), "eDP-2": PhysicalSize(width: 344, height: 122),
    ]
    let narrow = PhysicalSize(width: 349, height: 124)
    #expect(place(size: narrow, sizes: sizes) == .on("eDP-2"))
    #expect(place(size: PhysicalSize(width: 193, height: 344), sizes: sizes) == .on("eDP-1"), "on its side")
    #expect(place(sizes: sizes) == .unknown(among: ["eDP-1", "eDP-2"]), "its size is unknown")
    let other = PhysicalSize(width: 100, height: 60)
    #expect(place(size: other, sizes: sizes) == .unknown(among: ["eDP-1", "eDP-2"]))
    #expect(
      place(size: narrow, sizes: ["eDP-2": PhysicalSize(width: 344, height: 122)])
        == .unknown(among: ["eDP-1", "eDP-2"]),
      "the other may be as large")
  }

  @Test func `equal sizes do not identify the panel`() {
    let twin = PhysicalSize(width: 302, height: 189)
    #expect(place(size: twin, sizes: ["eDP-1": twin, "eDP-2": twin]) == .unknown(among: ["eDP-1", "eDP-2"]))
  }

  @Test func `doctor suggests the map setting`() {
    let complaint = place("RAYD0002").complaint("RAYD0002")
    #expect(complaint?.next?.description.contains("map = { \"RAYD0002\" = \"eDP-1\" }") == true)
    #expect(place(map: [TouchAssignment("T*", on: "eDP-5")]).complaint("Touch")?.next != nil)
    #expect(TouchPlacement.Place.on("eDP-1").complaint("Touch") == nil)
  }

  @Test func `a suggested map is TOML for any name`() {
    let map = TouchMapLine().text(for: "elan-15.6\"-touch\\", on: "eDP-1")
    #expect(map == #"map = { "elan-15.6\"-touch\\" = "eDP-1" }"#)
  }

  @Test func `doctor suggests one map for all devices`() {
    let line = TouchMapLine(unplaced: ["B", "A", "A"], kept: [TouchAssignment("Pen*", on: "eDP-2")])
    let map = "map = { \"Pen*\" = \"eDP-2\", \"A\" = \"eDP-1\", \"B\" = \"eDP-1\" }"
    for name in ["A", "B"] {
      let several = TouchPlacement.Place.unknown(among: ["eDP-1", "eDP-2"]).remark(name, line)
      #expect(several?.next?.description.contains("\(map), with the right output of each") == true)
      let one = TouchPlacement.Place.unknown(among: ["eDP-1"]).remark(name, line)
      #expect(one?.next?.description.contains("\(map), without those that lie elsewhere") == true)
    }
  }

  private func place(ofAll devices: [MappedTouchscreens.Device]) -> TouchPlacement.Place {
    TouchPlacement(outputs: Self.panels, settings: DisplaySettings()) { _ in nil }
      .place(of: devices, named: ["Touch"])
  }

  @Test func `devices with the same name get one output or none`() {
    let device = { MappedTouchscreens.Device(name: "Touch", output: $0, isWiredIn: true, isDirect: $1) }
    #expect(place(ofAll: [device("eDP-2", true), device("eDP-2", true)]) == .on("eDP-2"))
    #expect(
      place(ofAll: [device("eDP-1", true), device("eDP-2", true)]) == .unknown(among: ["eDP-1", "eDP-2"]))
    #expect(place(ofAll: [device(nil, false), device("eDP-2", true)]) == .on("eDP-2"))
    #expect(place(ofAll: [device(nil, false), device(nil, false)]) == .external)
    #expect(place(ofAll: []) == .unknown(among: ["eDP-1", "eDP-2"]))
  }

  @Test func `the size of a panel is read from its EDID`() throws {
    let place = try TemporaryDirectory()
    var edid = [UInt8](repeating: 0, count: 128)
    edid.replaceSubrange(0..<8, with: [0, 255, 255, 255, 255, 255, 255, 0])
    (edid[21], edid[22]) = (30, 19)
    #expect(PhysicalSize(edid: edid) == PhysicalSize(width: 300, height: 190))
    (edid[54], edid[66], edid[67], edid[68]) = (1, 0x2E, 189, 0x10)
    #expect(PhysicalSize(edid: edid) == PhysicalSize(width: 302, height: 189))
    #expect(PhysicalSize(edid: Array(edid.prefix(100))) == nil)
    #expect(PhysicalSize(edid: edid.map { _ in 0 }) == nil)
    #expect(PhysicalSize(connector: "eDP-1", in: place.path) == nil)
    #expect(PhysicalSize(connector: "../eDP-1", in: place.path) == nil)
  }
}
