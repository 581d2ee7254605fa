// SPDX-License-Identifier: MIT

import Autorotation
import Temporary
import Testing

@testable import DesktopBackends

@Suite("what udev says of touchscreens")
@MainActor
struct MappedTouchscreensTests {
  private let touchscreen = [
    "E:ID_INPUT=1", "E:ID_INPUT_TOUCHSCREEN=1", "E:ID_PATH=pci-0000:00:14.0-usb-0:7",
  ]

  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
  }

  /// A device manager that knows these devices, by their numbers.
  private func known(
    _ devices: [String: (name: String, properties: [String])], nodes: [String: String] = [:]
  ) throws -> MappedTouchscreens {
    for (number, device) in devices {
      try place.write(device.name + "\n", to: "dev/\(number)/device/name")
      let node = nodes[number] ?? "event\(number.suffix(2))"
      try place.write("MAJOR=13\nDEVNAME=input/\(node)\n", to: "dev/\(number)/uevent")
      try place.write(device.properties.joined(separator: "\n") + "\n", to: "c\(number)")
    }
    return MappedTouchscreens(panel: "eDP-1", database: place.path, devicesByNumber: place["dev"])
  }

  private func remarks(_ compositor: String?, _ properties: [String]) throws -> [Message] {
    let known = try known(["13:64": ("Touch", properties)])
    return known.devices().map { known.remark(on: $0, compositor: compositor) }
  }

  @Test func onlyTouchscreensAndPensCount() throws {
    let known = try known([
      "13:64": ("Touch", touchscreen), "13:65": ("Pen", ["E:ID_INPUT_TABLET=1", "E:WL_OUTPUT=eDP-1"]),
      "13:66": ("Mouse", ["E:ID_INPUT_MOUSE=1"]), "13:67": ("Torn", ["E:ID_INPUT_TOUCHSCREEN"]),
    ])
    #expect(
      known.devices() == [
        .init(name: "Touch", output: nil, isWiredIn: false, node: "/dev/input/event64"),
        .init(name: "Pen", output: "eDP-1", isWiredIn: false, node: "/dev/input/event65"),
      ])
  }

  @Test func aDeviceIsOneThoughTheKernelGivesItTwoNodes() throws {
    let known = try known(
      ["13:33": ("Touch", touchscreen), "13:66": ("Touch", touchscreen), "13:67": ("Pen", touchscreen)],
      nodes: ["13:33": "mouse1"])
    #expect(known.devices().map(\.name) == ["Touch", "Pen"])
  }

  @Test(arguments: [("2", true), ("3", true), ("0 2", true), ("1", false), ("2 0", false), ("", true)])
  func `the kernel's properties decide whether a device is direct`(_ words: String, _ isDirect: Bool) throws {
    let known = try known(["13:64": ("Touch", touchscreen)])
    try place.write(words + "\n", to: "dev/13:64/device/properties")
    #expect(known.devices().map(\.isDirect) == [isDirect])
  }

  @Test func noDeviceManagerKnowsNoDevices() {
    #expect(MappedTouchscreens(panel: "eDP-1", database: "/nowhere").devices() == [])
  }

  @Test func aDeviceWithoutAnOutputNeedsOneOnLabwcAndWayfire() throws {
    for (compositor, words) in [
      ("labwc", "rc.xml"), ("wayfire", "wayfire.ini"), ("river", "WL_OUTPUT=eDP-1"),
    ] {
      #expect(
        try remarks(compositor, touchscreen).first?.next?.description.contains(words) ?? false,
        "\(compositor)")
    }
  }

  @Test func aDeviceWithThePanelsNameIsWell() throws {
    let remark = try #require(try remarks("labwc", touchscreen + ["E:WL_OUTPUT=eDP-1"]).first)
    #expect(remark.next == nil)
    #expect(try remarks("labwc", touchscreen + ["E:WL_OUTPUT=DP-3"]).first?.next != nil)
  }

  /// Which sway it is cannot be told over Wayland, and before 1.10.1 it finds nothing.
  @Test func phocFindsItAndSwayIsToldOfIt() throws {
    let wiredIn = ["E:ID_INPUT_TOUCHSCREEN=1", "E:ID_PATH=pci-0000:00:15.1-platform-i2c_designware.1"]
    #expect(try remarks("phoc", touchscreen).first?.next == nil)
    for properties in [wiredIn, touchscreen] {
      #expect(
        try remarks("sway", properties).first?.next?.description.contains("map_to_output eDP-1") ?? false)
    }
  }
}
