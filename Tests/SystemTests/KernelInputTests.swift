// SPDX-License-Identifier: MIT

import Temporary
import Testing

@testable import System

struct KernelInputTests {
  private typealias Codes = KernelInput.BitSet

  private static func device(
    keys: Set<Int> = [], relative: Set<Int> = [], absolute: Set<Int> = [], properties: Set<Int>? = nil
  ) -> KernelInput {
    var device = KernelInput()
    (device.keys, device.relativeAxes, device.absoluteAxes) = (keys, relative, absolute)
    device.properties = properties
    return device
  }

  private static let keyboard = Set(0x01...0x1f)
  private static let mouse = device(keys: [0x110], relative: [0, 1])
  private static let touchpad = device(keys: [0x110, 0x145], absolute: [0, 1], properties: [0, 2])

  @Test(arguments: [
    (device(keys: keyboard), ["keyboard"]), (mouse, ["mouse"]), (touchpad, ["touchpad"]),
    (device(keys: [0x110], relative: [0, 1], properties: [0, 5]), ["mouse", "pointingstick"]),
    (device(keys: keyboard.union([0x145]), absolute: [0, 1]), ["keyboard", "touchpad"]),
    (device(keys: keyboard.subtracting([0x10])), []), (device(keys: [0x110], relative: [0]), []),
    (device(keys: [0x145], absolute: [0]), []),
    (device(keys: [0x14a], absolute: [0, 1], properties: [1]), []),
  ])
  func `a device has the kinds that libinput names`(device: KernelInput, kinds: [String]) {
    #expect(device.kinds == kinds)
  }

  @Test func `only built in keyboards and pointing devices are disabled`() {
    for (bus, isBuiltIn): (UInt16, Bool) in [(0x11, true), (0x18, true), (0x03, false), (0x05, false)] {
      for device in [Self.device(keys: Self.keyboard), Self.mouse, Self.touchpad] {
        var device = device
        device.bus = bus
        #expect(device.isBuiltInHardware == isBuiltIn && device.isOffInTabletPosture == isBuiltIn)
        device.quirks.staysOnInTabletMode = true
        #expect(device.isBuiltInHardware == isBuiltIn && !device.isOffInTabletPosture)
        device.quirks.isInternal = !isBuiltIn
        #expect(device.isBuiltInHardware == !isBuiltIn)
      }
    }
  }

  @Test(arguments: [
    device(keys: [0x14a], absolute: [0, 1], properties: [1]),
    device(keys: [0x110, 0x140], absolute: [0, 1]),
    device(keys: [0x110, 0x14b], relative: [0, 1]), device(keys: [116]),
  ])
  func `touchscreens, pens and buttons are never disabled`(device: KernelInput) {
    var device = device
    device.bus = 0x18
    #expect(!device.isBuiltInHardware)
  }

  @Test func `a device without attributes has no identity`() {
    let device = KernelInput()
    #expect([device.bus, device.vendor, device.product, device.version] == [0, 0, 0, 0])
    #expect(device.node.isEmpty && device.name.isEmpty && device.properties == nil && device.kinds.isEmpty)
  }

  @Test func `a device is read from its event node`() throws {
    let directory = try TemporaryDirectory()
    let files = [
      "name": "Pointer", "properties": "21", "capabilities/ev": "7", "capabilities/key": "70000 0 0 0 0",
      "capabilities/rel": "3", "capabilities/abs": "9", "capabilities/sw": "2",
    ]
    for (name, text) in files { try directory.write(text + "\n", to: "event4/device/\(name)") }
    let device = try #require(KernelInput(node: "/dev/input/event4", in: directory.path, quirks: nil))
    #expect(device.node == "/dev/input/event4" && device.name == "Pointer")
    #expect(device.properties == [0, 5] && device.events == [0, 1, 2] && device.keys == [272, 273, 274])
    #expect(device.relativeAxes == [0, 1] && device.absoluteAxes == [0, 3] && device.switches == [1])
  }

  @Test(arguments: ["mouse4", "/dev/input/js4", "", "/"])
  func `only an event node is a device`(node: String) throws {
    let directory = try TemporaryDirectory()
    for name in ["mouse4", "js4"] { try directory.write("Mouse\n", to: "\(name)/device/name") }
    #expect(KernelInput(node: node, in: directory.path, quirks: nil) == nil)
    #expect(KernelInput.all(in: directory.path, quirks: nil).isEmpty)
  }

  @Test(arguments: [
    (["capabilities/key": "fffffffe"], true),
    (["capabilities/key": "10000 0 0 0 0", "capabilities/rel": "3"], true),
    (["capabilities/sw": "2"], true), (["capabilities/key": "10000000000000 0"], false),
  ])
  func `only keyboards, pointers and switches have quirks`(_ files: [String: String], _ hasQuirks: Bool)
    throws
  {
    let directory = try TemporaryDirectory()
    try directory.write("Device\n", to: "event4/device/name")
    for (name, text) in files { try directory.write(text + "\n", to: "event4/device/\(name)") }
    let text = "[A]\nMatchName=*\nModelTabletModeNoSuspend=1\n"
    let quirks = QuirkDatabase(of: MachineIdentity(), texts: [text])
    let device = try #require(KernelInput(node: "event4", in: directory.path, quirks: quirks))
    #expect(device.quirks.staysOnInTabletMode == hasQuirks)
  }

  @Test(arguments: [
    ("pci-0000:00:14.0-usb-0:7:1.0", false), ("platform-xhci-hcd.1.auto-usb-0:1", false),
    ("platform-44000000.i2c", true), ("pci-0000:00:15.1-platform-i2c_designware.1", true),
    ("pci-0000:00:14.0", false), ("", false),
  ])
  func `the path of a device without a bus is its connection`(_ path: String, _ isOnBoard: Bool) {
    #expect(KernelInput.isOnBoard(bus: 0, path: path) == isOnBoard)
  }

  @Test func `the words of a bit set begin with the highest`() {
    #expect(Codes(words: "8000000000000000 0 5") == [0, 2, 191])
    #expect(Codes(words: "").isEmpty)
    #expect(Codes(words: "x 3") == [0, 1])
  }
}
