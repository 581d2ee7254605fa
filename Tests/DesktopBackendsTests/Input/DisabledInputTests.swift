// SPDX-License-Identifier: MIT

import Temporary
import Testing

@testable import DesktopBackends
@testable import System

/// Which input devices are disabled in tablet mode.
@Suite("input that is disabled")
struct DisabledInputTests {
  /// Devices of each kind, as the kernel describes them.
  enum Sample {
    static let keys = "10000 0 0 0 1000402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe"
    static let keyboard = sample("AT Translated Set 2 keyboard", bus: 0x11, keys: keys)
    static let touchpad = sample("ELAN0501:00 Touchpad", bus: 0x18, keys: fingers, abs: "2e0800000000003")
    static let stick = sample("TPPS/2 IBM TrackPoint", bus: 0x11, properties: "21", keys: buttons, rel: "3")
    static let usbKeyboard = sample("Dell Keyboard", bus: 0x03, keys: keys)
    static let bluetoothMouse = sample("MX Master", bus: 0x05, keys: buttons, rel: "1943")
    static let power = sample("Power Button", bus: 0x19, keys: "10000000000000 0")
    static let volume = sample("gpio-keys", bus: 0x18, keys: "c000000000000 0")
    static let lid = sample("Lid Switch", bus: 0x19)
    static let touchscreen = sample(
      "ELAN9008:00", bus: 0x18, properties: "2", keys: "400 0 0 0 0 0", abs: "2608000 3")
    static let pen = sample(
      "ELAN9008:00 Stylus", bus: 0x18, properties: "2", keys: "c03 1 0 0 0 0", abs: "d000003")
    static let wacomPad = sample("Wacom Intuos Pad", bus: 0x18, vendor: 0x056a, keys: fingers, abs: "3")
    static let penWithoutProperty = sample("Pen", bus: 0x18, keys: "1c03 1 0 0 0 0", abs: "3", rel: "3")

    static let buttons = "70000 0 0 0 0"
    static let fingers = "e520 10000 0 0 0 0"

    private static func sample(
      _ name: String, bus: UInt16, vendor: UInt16 = 1, properties: String = "0", keys: String = "0",
      abs: String = "0", rel: String = "0"
    ) -> KernelInput {
      var device = KernelInput()
      device.name = name
      device.bus = bus
      device.vendor = vendor
      device.properties = .init(words: properties)
      device.keys = .init(words: keys)
      device.absoluteAxes = .init(words: abs)
      device.relativeAxes = .init(words: rel)
      return device
    }
  }

  private let automatic = DisabledInput()

  private func disables(_ input: DisabledInput, _ device: KernelInput) -> Bool {
    input.includes([device.name], [device])
  }

  @Test(arguments: [Sample.keyboard, Sample.touchpad, Sample.stick])
  func `built in devices are disabled`(_ device: KernelInput) {
    #expect(disables(automatic, device))
    #expect(!disables(DisabledInput(names: ["Something Else"]), device))
  }

  @Test(arguments: [Sample.usbKeyboard, Sample.bluetoothMouse, Sample.power, Sample.volume, Sample.lid])
  func `external devices and buttons are disabled only if named`(_ device: KernelInput) {
    #expect(!disables(automatic, device))
    #expect(disables(DisabledInput(names: ["auto", device.name.uppercased()]), device))
  }

  @Test(arguments: [Sample.touchscreen, Sample.pen, Sample.wacomPad, Sample.penWithoutProperty])
  func `touchscreens and tablets are never disabled`(_ device: KernelInput) {
    #expect(!disables(automatic, device))
    #expect(!disables(DisabledInput(names: ["auto", "*"]), device))
  }

  @Test func `a keyboard that libinput leaves on needs its name`() {
    var keyboard = Sample.keyboard
    keyboard.quirks.staysOnInTabletMode = true
    #expect(!disables(automatic, keyboard))
    #expect(disables(DisabledInput(names: ["auto", "AT Translated*"]), keyboard))
  }

  @Test func `libinput's quirks for built-in devices have precedence`() {
    var cover = Sample.usbKeyboard
    cover.quirks.isInternal = true
    #expect(disables(automatic, cover))
    var volumeKeys = Sample.keyboard
    volumeKeys.quirks.isInternal = false
    #expect(!disables(automatic, volumeKeys))
    var touchscreen = Sample.touchscreen
    touchscreen.quirks.isInternal = true
    #expect(!disables(automatic, touchscreen))
  }

  @Test func `quirks are found by the kernel's identifiers`() throws {
    let directory = try TemporaryDirectory()
    let files = [
      "name": "Some Cover\n", "id/bustype": "0003\n", "id/vendor": "045e\n", "id/product": "09c0\n",
      "id/version": "0111\n", "capabilities/key": "fffffffe\n", "capabilities/sw": "2\n",
    ]
    for (name, text) in files { try directory.write(text, to: "event3/device/\(name)") }
    let text = """
      [A]
      MatchUdevType=keyboard
      MatchVendor=0x045E
      MatchProduct=0x09C0
      MatchVersion=0x0111
      AttrKeyboardIntegration=internal
      ModelTabletModeNoSuspend=1
      ModelTabletModeSwitchUnreliable=1
      """
    let quirks = QuirkDatabase(of: MachineIdentity(), texts: [text])
    let cover = try #require(KernelInput.all(in: directory.path, quirks: quirks).first)
    #expect(cover.isBuiltInHardware && !cover.isOffInTabletPosture && !cover.isTabletSwitch)
    let names = DisabledInput().keyboardsLeftOn(in: directory.path, quirks: quirks)
    #expect(names == ["Some Cover"])
    let named = DisabledInput(names: ["auto", "Some *"])
    #expect(named.keyboardsLeftOn(in: directory.path, quirks: quirks) == [])
    let none = QuirkDatabase(of: MachineIdentity(), texts: [])
    let plain = try #require(KernelInput.all(in: directory.path, quirks: none).first)
    #expect(!plain.isBuiltInHardware && plain.isTabletSwitch)
  }

  @Test func `a device without kernel device is disabled only by name`() {
    #expect(!automatic.includes(["AT Translated Set 2 keyboard"], []))
    #expect(DisabledInput(names: ["at*key?oard"]).includes(["AT Translated Set 2 keyboard"], []))
  }

  @Test func `of two indistinguishable devices both have to be built in`() {
    #expect(automatic.includes(["A"], [Sample.keyboard, Sample.stick]))
    #expect(!automatic.includes(["A"], [Sample.keyboard, Sample.usbKeyboard]))
  }

  @Test func `a bit set starts in its last word`() {
    let set = KernelInput.BitSet(words: "1 8000000000000002")
    #expect([1, 63, 64].allSatisfy { set.contains($0) })
    #expect([0, 2, 62, 65, 4000].allSatisfy { !set.contains($0) })
    #expect(KernelInput.BitSet(words: "nonsense") == KernelInput.BitSet())
  }
}
