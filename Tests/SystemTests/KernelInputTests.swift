// SPDX-License-Identifier: MIT

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

  @Test func `the words of a bit set begin with the highest`() {
    #expect(Codes(words: "8000000000000000 0 5") == [0, 2, 191])
    #expect(Codes(words: "").isEmpty)
    #expect(Codes(words: "x 3") == [0, 1])
  }
}
