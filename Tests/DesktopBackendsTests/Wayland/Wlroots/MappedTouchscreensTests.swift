// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import System
import Temporary
import Testing

@testable import DesktopBackends

@Suite("touchscreens in udev's database")
@MainActor
struct MappedTouchscreensTests {
  private let touchscreen = [
    "E:ID_INPUT=1", "E:ID_INPUT_TOUCHSCREEN=1", "E:ID_PATH=pci-0000:00:14.0-usb-0:7",
  ]

  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
  }

  /// A udev database with these devices, by their numbers.
  private func known(
    _ devices: [String: (name: String, properties: [String])], nodes: [String: String] = [:]
  ) throws -> MappedTouchscreens {
    for (number, device) in devices {
      let node = nodes[number] ?? "event\(number.suffix(2))"
      try place.write(device.name + "\n", to: "input/\(node)/device/name")
      try place.write(number + "\n", to: "input/\(node)/dev")
      try place.write(device.properties.joined(separator: "\n") + "\n", to: "c\(number)")
    }
    var known = MappedTouchscreens(database: place.path, kernelDirectory: place["input"])
    known.integration = { [asked] in
      asked.tablets.append($0)
      return nil
    }
    return known
  }

  private final class Asked {
    var tablets: [TabletIdentity] = []
  }

  private let asked = Asked()

  private func remarks(_ compositor: String?, _ properties: [String]) throws -> [Message] {
    let known = try known(["13:64": ("Touch", properties)])
    return known.devices().map { $0.remark(on: "eDP-1", by: compositor) }
  }

  @Test func `only touchscreens and pens are listed`() throws {
    let known = try known([
      "13:64": ("Touch", touchscreen), "13:65": ("Pen", ["E:ID_INPUT_TABLET=1", "E:WL_OUTPUT=eDP-1"]),
      "13:66": ("Mouse", ["E:ID_INPUT_MOUSE=1"]), "13:67": ("Torn", ["E:ID_INPUT_TOUCHSCREEN"]),
    ])
    #expect(
      known.devices() == [
        .init(
          name: "Touch", output: nil, isWiredIn: false, node: "/dev/input/event64", isOnBoard: false),
        .init(
          name: "Pen", output: "eDP-1", isWiredIn: false, node: "/dev/input/event65", isOnBoard: false,
          isPen: true),
      ])
  }

  @Test(arguments: [
    ("niri", "niri/config.kdl", "input {\n  touch {\n    map-to-output \"eDP-1\"\n  }\n}", true),
    ("niri", "niri/config.kdl", "touch { map-to-output \"eDP-1\"; }", true),
    (
      "niri", "niri/config.kdl",
      "touch {\n  // map-to-output \"eDP-1\"\n}\ntablet { map-to-output \"eDP-1\"; }", false
    ),
    ("niri", "niri/config.kdl", "touch {\r\n  // map-to-output \"eDP-1\"\r\n}\r\n", false),
    ("niri", "niri/config.kdl", "touch { map-to-output \"DP-1\"; }", false),
    ("niri", "niri/config.kdl", "/* touch { map-to-output \"eDP-1\"; } */", false),
    ("niri", "niri/config.kdl", "/-touch { map-to-output \"eDP-1\"; }", false),
    ("niri", "niri/config.kdl", "touch { /-map-to-output \"eDP-1\"; }", false),
    ("niri", "niri/config.kdl", "/-\ntouch { map-to-output \"eDP-1\"; }", false),
    ("niri", "niri/config.kdl", "/- input {\n tablet {}\n touch { map-to-output \"eDP-1\"; }\n}", false),
    ("niri", "niri/config.kdl", "/-touch { map-to-output \"a\"; }\ntouch { map-to-output \"eDP-1\"; }", true),
    ("niri", "niri/config.kdl", "touch { /-off; map-to-output \"eDP-1\" }\nspawn \"a/-b {\"", true),
    ("niri", "niri/config.kdl", "spawn \"a/*\"\ntouch { map-to-output \"eDP-1\"; }", true),
    ("labwc", "labwc/rc.xml", "<!--\n<touch mapToOutput=\"eDP-1\" deviceName=\"Touch\"/> -->", false),
    ("labwc", "labwc/rc.xml", "<touch mapToOutput=\"eDP-1\" deviceName=\"Touch\"/>", true),
    ("labwc", "labwc/rc.xml", "<touch deviceName=\"Touch\"/><tablet mapToOutput=\"eDP-1\"/>", false),
    ("wayfire", "wayfire.ini", "[input-device:Touch]\noutput = eDP-1", true),
    (
      "wayfire", "wayfire.ini",
      "[input-device:Touch]\n# output = eDP-1\noutput = eDP-10\n[a]\noutput = eDP-1\n", false
    ),
    ("wayfire", "wayfire.ini", "[input-device:Touch]\r\n# output = eDP-1\r\n", false),
    ("river", "river/init", "map-to-output \"eDP-1\"", false),
  ])
  func `a mapping in the compositor's configuration is known`(
    _ compositor: String, _ file: String, _ text: String, _ isMapped: Bool
  ) throws {
    var known = try known(["13:64": ("Touch", ["E:ID_INPUT_TOUCHSCREEN=1", "E:ID_PATH=platform-i2c"])])
    known.configHome = place["config"]
    try place.write(text, to: "config/\(file)")
    let outputs = ["eDP-1", "DP-1"].map {
      Output(name: $0, isBuiltIn: $0 == "eDP-1", isExternal: $0 == "DP-1", width: 2880, height: 1800)
    }
    let remarks = known.remarks(on: outputs, DisplaySettings(), compositor: compositor)
    #expect(remarks.map { $0.next == nil } == [isMapped])
  }

  @Test func `a device with two nodes is listed once`() throws {
    let known = try known(
      ["13:33": ("Touch", touchscreen), "13:66": ("Touch", touchscreen), "13:67": ("Pen", touchscreen)],
      nodes: ["13:33": "mouse1"])
    #expect(known.devices().map(\.name) == ["Touch", "Pen"])
  }

  @Test(arguments: [("2", true), ("3", true), ("0 2", true), ("1", false), ("2 0", false), ("", true)])
  func `the kernel's properties decide whether a device is direct`(_ words: String, _ isDirect: Bool) throws {
    let known = try known(["13:64": ("Touch", touchscreen)])
    try place.write(words + "\n", to: "input/event64/device/properties")
    #expect(known.devices().map(\.isDirect) == [isDirect])
  }

  @Test func `libwacom is asked only where the bus is not enough`() throws {
    let known = try known(["13:64": ("Touch", touchscreen), "13:65": ("Pen", touchscreen)])
    for (file, text) in ["bustype": "0003", "vendor": "056a", "product": "0350"] {
      try place.write(text + "\n", to: "input/event65/device/id/\(file)")
    }
    try place.write("0018\n", to: "input/event64/device/id/bustype")
    #expect(known.devices().map(\.isOnBoard) == [true, false])
    let pen = TabletIdentity(node: "/dev/input/event65", name: "Pen", vendor: 0x056a, product: 0x0350)
    #expect(asked.tablets == [pen])
  }

  @Test(arguments: [
    (["fixed"], true), (["removable", "fixed"], false), ([], false),
  ])
  func `the ports above a USB device are read`(_ ports: [String], _ isOnBoard: Bool) throws {
    let known = try known(["13:64": ("Touch", touchscreen)])
    try place.write("0003\n", to: "input/event64/device/id/bustype")
    var hub = "sys/usb1"
    for (number, port) in ports.enumerated() {
      hub += "/1-7" + String(repeating: ".2", count: number)
      try place.write(port + "\n", to: "\(hub)/removable")
    }
    try place.write("unknown\n", to: "sys/usb1/removable")
    try place.makeDirectory("\(hub)/1-7:1.0/input")
    let (from, to) = (place["input/event64"], place["\(hub)/1-7:1.0/input/event64"])
    try FileManager.default.moveItem(atPath: from, toPath: to)
    try FileManager.default.createSymbolicLink(atPath: from, withDestinationPath: to)
    #expect(known.devices().map(\.isOnBoard) == [isOnBoard])
  }

  @Test(arguments: ["", "zz\n", "0x\n", "ffffffff\n", "\u{FFFD}"])
  func `a device with invalid properties has no known bus`(_ text: String) throws {
    let known = try known(["13:64": ("", ["E:ID_INPUT_TABLET=1", "E:ID_PATH=", "E:ID_INPUT_WIDTH_MM=-1"])])
    for file in ["bustype", "vendor", "product"] {
      try place.write(text, to: "input/event64/device/id/\(file)")
    }
    try place.write("Pen\n", to: "input/event64/device/name")
    #expect(known.devices().map(\.isOnBoard) == [false])
    #expect(known.devices().map(\.size) == [nil])
  }

  @Test(arguments: ["", "\n"])
  func `a device without a name is left out`(_ name: String) throws {
    let known = try known(["13:64": ("Touch", touchscreen), "13:65": ("Pen", touchscreen)])
    try place.write(name, to: "input/event65/device/name")
    #expect(known.devices().map(\.name) == ["Touch"])
  }

  @Test func `without udev there are no devices`() {
    #expect(MappedTouchscreens(database: "/nowhere").devices() == [])
  }

  @Test func `labwc and wayfire need an output for a device`() throws {
    for (compositor, words) in [
      ("labwc", "rc.xml"), ("wayfire", "wayfire.ini"), ("river", "WL_OUTPUT=eDP-1"),
    ] {
      #expect(
        try remarks(compositor, touchscreen).first?.next?.description.contains(words) ?? false,
        "\(compositor)")
    }
  }

  @Test(arguments: [
    ("labwc", "<touch deviceName=\"Touch\" mapToOutput=\"eDP-1\"/>"),
    ("wayfire", "[input-device:Touch] output = eDP-1"), ("river", "WL_OUTPUT=eDP-1"),
  ])
  func `with two panels the compositor's own line is shown`(_ compositor: String, _ line: String) throws {
    let known = try known(["13:64": ("Touch", touchscreen)])
    let device = try #require(known.devices().first)
    let remark = device.remark(among: ["eDP-1", "eDP-2"], by: compositor)
    #expect(remark.what.description.contains("any of eDP-1, eDP-2"))
    #expect(remark.next?.description.contains(line) == true, "\(remark)")
    #expect(remark.next?.description.contains("map =") == false)
  }

  @Test func `doctor lists the panels that a device may lie on`() throws {
    let known = try known(["13:64": ("Touch", touchscreen)])
    let outputs = ["eDP-1", "eDP-2"].map { Output(name: $0, isBuiltIn: true, width: 2880, height: 1800) }
    let remarks = known.remarks(on: outputs, DisplaySettings(), compositor: "labwc")
    #expect(
      remarks.map(\.what.description) == [
        "“Touch” may lie on any of eDP-1, eDP-2, and labwc does not know which"
      ])
  }

  @Test func `labwc's line is XML for any name`() {
    let next = MappedTouchscreens.Device(name: "15.6\" <A> & B").remark(on: "eDP-1", by: "labwc").next
    #expect(next?.description.contains("deviceName=\"15.6&quot; &lt;A&gt; &amp; B\" map") == true)
  }

  @Test func `labwc has another line for a pen`() throws {
    let remark = try #require(try remarks("labwc", ["E:ID_INPUT_TABLET=1"]).first)
    #expect(remark.next?.description.contains("<tablet mapToOutput=\"eDP-1\"/>") == true)
  }

  @Test func `niri maps no pen by the udev property`() throws {
    let remark = try #require(try remarks("niri", ["E:ID_INPUT_TABLET=1", "E:WL_OUTPUT=eDP-1"]).first)
    #expect(remark.next?.description.contains("tablet { map-to-output \"eDP-1\"; }") == true)
  }

  @Test func `vendor and product are read`() throws {
    let known = try known(["13:64": ("Touch", touchscreen)])
    for (file, text) in ["vendor": "04f3", "product": "0047"] {
      try place.write(text + "\n", to: "input/event64/device/id/\(file)")
    }
    #expect(known.devices().map(\.hardware) == ["04f3:0047"])
  }

  @Test func `a device of the panel needs no advice`() throws {
    let remark = try #require(try remarks("labwc", touchscreen + ["E:WL_OUTPUT=eDP-1"]).first)
    #expect(remark.next == nil)
    #expect(try remarks("labwc", touchscreen + ["E:WL_OUTPUT=DP-3"]).first?.next != nil)
  }

  /// Wayland does not reveal sway's version, and before 1.10.1 sway does not detect the touchscreen.
  @Test func `phoc detects the device and sway needs a mapping`() throws {
    let wiredIn = ["E:ID_INPUT_TOUCHSCREEN=1", "E:ID_PATH=pci-0000:00:15.1-platform-i2c_designware.1"]
    #expect(try remarks("phoc", touchscreen).first?.next == nil)
    for properties in [wiredIn, touchscreen] {
      #expect(
        try remarks("sway", properties).first?.next?.description.contains("map_to_output eDP-1") ?? false)
    }
  }
}
