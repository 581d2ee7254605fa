// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Testing

@testable import DesktopBackends

@Suite("what udev says of touchscreens")
@MainActor
struct MappedTouchscreensTests {
  private let touchscreen = [
    "E:ID_INPUT=1", "E:ID_INPUT_TOUCHSCREEN=1", "E:ID_PATH=pci-0000:00:14.0-usb-0:7",
  ]

  /// A device manager that knows these devices, by their numbers.
  private func known(
    _ devices: [String: (name: String, properties: [String])], nodes: [String: String] = [:]
  ) throws -> MappedTouchscreens {
    let place = URL(filePath: try Fake.directory())
    for (number, device) in devices {
      let files = place.appending(path: "dev/\(number)/device")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      try Data((device.name + "\n").utf8).write(to: files.appending(path: "name"))
      let node = nodes[number] ?? "event\(number.suffix(2))"
      try Data("MAJOR=13\nDEVNAME=input/\(node)\n".utf8).write(
        to: place.appending(path: "dev/\(number)/uevent"))
      let text = device.properties.joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: place.appending(path: "c\(number)"))
    }
    return MappedTouchscreens(
      panel: "eDP-1", database: place.path(), devicesByNumber: place.path() + "/dev")
  }

  private func remarks(_ compositor: String?, _ properties: [String]) throws -> [Message] {
    let known = try known(["13:64": ("Touch", properties)])
    defer { try? FileManager.default.removeItem(atPath: known.database) }
    return known.devices().map { known.remark(on: $0, compositor: compositor) }
  }

  @Test func onlyTouchscreensAndPensCount() throws {
    let known = try known([
      "13:64": ("Touch", touchscreen), "13:65": ("Pen", ["E:ID_INPUT_TABLET=1", "E:WL_OUTPUT=eDP-1"]),
      "13:66": ("Mouse", ["E:ID_INPUT_MOUSE=1"]), "13:67": ("Torn", ["E:ID_INPUT_TOUCHSCREEN"]),
    ])
    defer { try? FileManager.default.removeItem(atPath: known.database) }
    #expect(
      known.devices() == [
        .init(name: "Touch", output: nil, isWiredIn: false),
        .init(name: "Pen", output: "eDP-1", isWiredIn: false),
      ])
  }

  @Test func aDeviceIsOneThoughTheKernelGivesItTwoNodes() throws {
    let known = try known(
      ["13:33": ("Touch", touchscreen), "13:66": ("Touch", touchscreen), "13:67": ("Pen", touchscreen)],
      nodes: ["13:33": "mouse1"])
    defer { try? FileManager.default.removeItem(atPath: known.database) }
    #expect(known.devices().map(\.name) == ["Touch", "Pen"])
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
