// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// Real devices on a laptop with a panel of 344 x 194 mm. libwacom's data is from its .tablet files (IntegratedIn,
/// github.com/linuxwacom/libwacom). Buses, INPUT_PROP_DIRECT and sizes are from the kernel's drivers and from dumps in
/// github.com/linuxwacom/wacom-hid-descriptors and in the issues named.
@Suite("what is built in")
@MainActor
struct TouchOriginTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var device: MappedTouchscreens.Device
    var origin: TouchOrigin
    var isOnPanel: Bool

    init(
      _ name: String, _ bus: UInt16, libwacom integration: TabletIntegration? = nil, isDirect: Bool = true,
      path: String = "", usbPorts: [String] = [], size: (Int, Int) = (0, 0),
      is origin: TouchOrigin, onPanel isOnPanel: Bool
    ) {
      testDescription = name
      device = MappedTouchscreens.Device(
        name: name, isDirect: isDirect, size: PhysicalSize(width: size.0, height: size.1),
        isOnBoard: KernelInput.isOnBoard(bus: bus, path: path, usbPorts: usbPorts), integration: integration)
      self.origin = origin
      self.isOnPanel = isOnPanel
    }
  }

  nonisolated private static let (pci, usb, bluetooth, virtual): (UInt16, UInt16, UInt16, UInt16) = (
    1, 3, 5, 6
  )
  nonisolated private static let (serial, i2c, spi): (UInt16, UInt16, UInt16) = (0x13, 0x18, 0x1c)

  nonisolated static let external: [Sample] = [
    // As large as the panel (swaywm/sway#7882 has one of 344 x 193 mm).
    .init(
      "Wacom Cintiq Pro 16 Pen", usb, libwacom: [.display], size: (344, 193), is: .penDisplay, onPanel: false),
    .init(
      "Wacom Cintiq Pro 16 Finger", usb, libwacom: [.display], size: (344, 193), is: .penDisplay,
      onPanel: false),
    .init("Wacom DTH134 Pen", usb, libwacom: [.display], size: (294, 166), is: .penDisplay, onPanel: false),
    .init("Wacom Movink 13 Pen", usb, libwacom: [.display], is: .penDisplay, onPanel: false),
    .init("Wacom One Pen Display 13 Pen", usb, libwacom: [.display], is: .penDisplay, onPanel: false),
    .init(
      "ThinkVision M14t Pen", usb, libwacom: [.display], size: (309, 174), is: .penDisplay, onPanel: false),
    .init("Tablet Monitor Pen (Kamvas 13)", usb, libwacom: [.display], is: .penDisplay, onPanel: false),
    .init("XP-Pen Artist 13.3 Pro", usb, libwacom: [.display], is: .penDisplay, onPanel: false),
    .init(
      "Wacom Intuos Pro M Pen", bluetooth, libwacom: [], isDirect: false, is: .screenlessTablet,
      onPanel: false),
    .init("Wacom Intuos S Pen, libwacom absent", usb, isDirect: false, is: .screenlessTablet, onPanel: false),
    // Their drivers set INPUT_PROP_DIRECT.
    .init("HUION H640P Pen", usb, libwacom: [], is: .screenlessTablet, onPanel: false),
    .init("XP-Pen Deco Pro MW", usb, libwacom: [], is: .screenlessTablet, onPanel: false),
    .init(
      "Wacom ExpressKey Remote Pad", usb, libwacom: .init(rawValue: 1 << 2), is: .screenlessTablet,
      onPanel: false),
  ]

  nonisolated static let builtIn: [Sample] = [
    .init("Wacom HID 4944 Pen", i2c, path: "pci-0000:00:15.0-platform-i2c", is: .builtIn, onPanel: true),
    .init("ELAN9008:00 04F3:2D55 Stylus", i2c, is: .builtIn, onPanel: true),
    .init("GXTP7863:00 27C6:01E0", i2c, size: (900, 50), is: .builtIn, onPanel: true),
    .init("Apple SPI touch", spi, is: .builtIn, onPanel: true),
    .init("Intel Touch Host Controller", pci, is: .builtIn, onPanel: true),
    .init("Driver that names no bus", 0, path: "platform-44000000.i2c", is: .builtIn, onPanel: true),
    .init("Wacom ISDv4 E6 Finger", usb, libwacom: [.display, .system], is: .builtIn, onPanel: true),
    .init(
      "Wacom Serial Penabled Tablet Pen", serial, libwacom: [.display, .system], is: .builtIn, onPanel: true),
    .init(
      "Pen without INPUT_PROP_DIRECT, Linux 4.15", i2c, libwacom: [.display, .system], isDirect: false,
      is: .builtIn, onPanel: true),
    .init("ELAN Touchscreen on a fixed port", usb, usbPorts: ["fixed"], is: .builtIn, onPanel: true),
    .init("Surface, libwacom knows it", virtual, libwacom: [.display, .system], is: .builtIn, onPanel: true),
  ]

  /// Only their size can place them.
  nonisolated static let unknown: [Sample] = [
    .init("ELAN Touchscreen of the panel's size", usb, size: (345, 194), is: .unknown, onPanel: true),
    .init("IPTSD Virtual Touchscreen", virtual, size: (344, 194), is: .unknown, onPanel: true),
    .init("Touch monitor of 24 inches", usb, size: (531, 299), is: .unknown, onPanel: false),
    .init("Touchscreen of no size", usb, is: .unknown, onPanel: false),
    .init(
      "Fixed in a hub that is plugged in", usb, usbPorts: ["removable", "fixed"], is: .unknown, onPanel: false
    ),
    .init("OpenTabletDriver Virtual Tablet", virtual, is: .unknown, onPanel: false),
    .init("Neither bus nor path", 0, is: .unknown, onPanel: false),
  ]

  private func place(
    _ device: MappedTouchscreens.Device, _ settings: DisplaySettings = DisplaySettings(),
    size: PhysicalSize? = PhysicalSize(width: 344, height: 194)
  ) -> TouchPlacement.Place {
    let outputs = [
      Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080),
      Output(name: "HDMI-A-1", isBuiltIn: false, isExternal: true, width: 1920, height: 1080),
    ]
    return TouchPlacement(outputs: outputs, settings: settings) { $0 == "eDP-1" ? size : nil }
      .place(of: device, named: [device.name])
  }

  @Test(arguments: external + builtIn + unknown)
  func `real devices have the right origin and output`(_ sample: Sample) {
    #expect(TouchOrigin(of: sample.device) == sample.origin)
    #expect(place(sample.device).output == (sample.isOnPanel ? "eDP-1" : nil))
  }

  @Test(arguments: external)
  func `an external device is no problem`(_ sample: Sample) {
    let place = place(sample.device)
    #expect(place == .external && place.complaint("X") == nil)
    #expect(place.remark("X")?.code == .touchExternal && place.remark("X")?.next == nil)
  }

  @Test(arguments: unknown.filter { !$0.isOnPanel })
  func `an unknown device is left alone with a next step`(_ sample: Sample) {
    let complaint = place(sample.device).complaint("X")
    #expect(complaint?.what.description.contains("not known whether it is built in") == true)
    #expect(complaint?.next?.description.contains("map = { \"X\" = \"eDP-1\" }") == true)
  }

  @Test(arguments: external + unknown)
  func `settings that name a device have precedence`(_ sample: Sample) {
    let name = sample.device.name
    #expect(place(sample.device, DisplaySettings(touchDevices: [name])) == .on("eDP-1"))
    let map = [TouchAssignment(name, on: "HDMI-A-1")]
    #expect(place(sample.device, DisplaySettings(touchMap: map)) == .on("HDMI-A-1"))
  }

  @Test(arguments: external + unknown)
  func `a chosen monitor gets all devices except screenless tablets`(_ sample: Sample) {
    let place = place(sample.device, DisplaySettings(output: "HDMI-A-1"))
    #expect(place == (sample.origin == .screenlessTablet ? .external : .on("HDMI-A-1")))
  }

  @Test(arguments: builtIn)
  func `a chosen monitor gets no built-in device`(_ sample: Sample) {
    #expect(place(sample.device, DisplaySettings(output: "HDMI-A-1")) == .on("eDP-1"))
    let named = DisplaySettings(output: "HDMI-A-1", touchDevices: [sample.device.name])
    #expect(place(sample.device, named) == .on("HDMI-A-1"))
  }

  @Test func `a panel of unknown size gets no unknown device`() {
    #expect(place(Self.unknown[0].device, size: nil) == .unknown(among: ["eDP-1"]))
  }

  @Test func `a udev rule places an external device`() {
    var device = Self.external[0].device
    device.output = "HDMI-A-1"
    #expect(place(device) == .on("HDMI-A-1"))
  }

  @Test(arguments: [
    ([], false), (["fixed"], true), (["fixed", "fixed"], true),
    (["unknown"], false), (["fixed", "unknown"], false), (["removable"], false),
  ])
  func `only fixed USB ports are part of the board`(_ ports: [String], _ isOnBoard: Bool) {
    #expect(KernelInput.isOnBoard(bus: 3, path: "pci-0000:00:14.0-usb-0:7", usbPorts: ports) == isOnBoard)
    #expect(!KernelInput.isOnBoard(bus: 5, usbPorts: ports), "Bluetooth, through an adapter in a port")
  }
}

nonisolated enum TouchOrigin: Sendable {
  case builtIn
  case penDisplay
  case screenlessTablet
  case unknown

  init(of device: MappedTouchscreens.Device) {
    self =
      switch device.isBuiltIn {
      case _ where !device.hasScreen: .screenlessTablet
      case true?: .builtIn
      case false?: .penDisplay
      case nil: .unknown
      }
  }
}
