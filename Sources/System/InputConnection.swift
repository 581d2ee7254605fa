// SPDX-License-Identifier: MIT

/// How an input device is connected, which shows whether it is part of the machine.
nonisolated package enum InputConnection: Equatable, Sendable {
  /// Wired to the board: I2C, SPI, PCI, PS/2, a sensor hub, the platform, or a fixed USB port.
  case board
  /// USB or Bluetooth, which may also be inside the machine.
  case pluggable
  /// Created by a program (BUS_VIRTUAL), or not known.
  case unknown

  /// Numbers of linux/input.h: PCI, ISA, PS/2, I2C (and SMBus, which the kernel counts as I2C), HOST (the platform),
  /// SPI, RMI, INTEL_ISHTP, AMD_SFH; and MEI, of linux-surface's driver `ipts`.
  private static let boardBuses: Set<UInt16> = [0x01, 0x10, 0x11, 0x18, 0x19, 0x1c, 0x1d, 0x1f, 0x20, 0x44]
  private static let usb: UInt16 = 0x03
  private static let bluetooth: UInt16 = 0x05

  /// - Parameters:
  ///   - bus: the kernel's `bustype`; 0 if unknown.
  ///   - path: udev's `ID_PATH`, used if the bus is unknown.
  ///   - usbPorts: the kernel's `removable` of each USB port between the board and the device.
  package init(bus: UInt16, path: String = "", usbPorts: [String] = []) {
    self =
      switch bus {
      case 0 where path.contains("-usb-"): .pluggable
      case 0: path.hasPrefix("platform-") || path.contains("-platform-") ? .board : .unknown
      case Self.usb where !usbPorts.isEmpty && usbPorts.allSatisfy { $0 == "fixed" }: .board
      case Self.usb, Self.bluetooth: .pluggable
      default: Self.boardBuses.contains(bus) ? .board : .unknown
      }
  }
}
