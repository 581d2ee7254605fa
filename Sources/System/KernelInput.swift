// SPDX-License-Identifier: MIT

/// The properties of an input device in sysfs. The numbers are those of linux/input-event-codes.h.
nonisolated package struct KernelInput: Equatable, Sendable {
  /// "/dev/input/event4".
  package private(set) var node = ""
  /// From the driver; may contain control characters.
  package var name = ""
  /// The kernel's `bustype`.
  package var bus: UInt16 = 0
  package var vendor: UInt16 = 0
  package var product: UInt16 = 0
  package var version: UInt16 = 0
  /// `nil` if unknown.
  package var properties: BitSet?
  package var events = BitSet()
  package var keys = BitSet()
  package var relativeAxes = BitSet()
  package var absoluteAxes = BitSet()
  package var switches = BitSet()
  /// From libinput's database.
  package var quirks = InputQuirks()
  private var path = ""

  package init() {}

  /// A set of event codes.
  package typealias BitSet = Set<Int>

  private enum Code {
    static let direct = 0x01
    static let pointingStick = 0x05
    static let tabletMode = 0x01
    static let leftButton = 0x110
    static let penTools = 0x140...0x144
    static let finger = 0x145
    static let stylusButtons = [0x14b, 0x14c, 0x149]
    /// Esc, the digits, the letters of the upper row and more: udev's rule for a keyboard.
    static let keyboard = 0x01...0x1f
  }

  private static let wacom: UInt16 = 0x056a

  /// Includes all parts of Wacom's tablets.
  package var isTouchscreenOrPen: Bool {
    vendor == Self.wacom || properties?.contains(Code.direct) == true
      || (Array(Code.penTools) + Code.stylusButtons).contains { keys.contains($0) }
  }

  /// Whether it has a reliable tablet switch. libinput hides unreliable ones.
  package var isTabletSwitch: Bool { switches.contains(Code.tabletMode) && !quirks.isTabletSwitchUnreliable }

  /// Buttons on the housing, such as power and volume, and the lid switch do not count.
  package var isKeyboard: Bool { keys.isSuperset(of: Code.keyboard) }

  package var isTouchpad: Bool { reportsFinger && !isTouchscreenOrPen }

  /// A touchpad, a pointing stick, a mouse.
  package var isPointer: Bool {
    reportsFinger || keys.contains(Code.leftButton) && relativeAxes.isSuperset(of: 0...1)
  }

  private var reportsFinger: Bool { keys.contains(Code.finger) && absoluteAxes.isSuperset(of: 0...1) }

  /// Whether it is a keyboard or pointing device of the machine itself. libinput's quirks override the bus.
  package var isBuiltInHardware: Bool {
    guard !isTouchscreenOrPen, isKeyboard || isPointer else { return false }
    return quirks.isInternal ?? Self.isOnBoard(bus: bus)
  }

  /// Whether it is disabled by default in tablet mode. Those that libinput leaves enabled stay enabled.
  package var isOffInTabletPosture: Bool { isBuiltInHardware && !quirks.staysOnInTabletMode }

  /// In libinput's terms: "keyboard", "touchpad"…
  var kinds: [String] {
    let kinds = [
      ("keyboard", isKeyboard), ("touchpad", isTouchpad), ("mouse", isPointer && !isTouchpad),
      ("pointingstick", properties?.contains(Code.pointingStick) == true),
    ]
    return kinds.filter(\.1).map(\.0)
  }

  package static let usualDirectory = "/sys/class/input"

  /// - Parameters:
  ///   - node: "/dev/input/event4".
  ///   - quirks: `nil` to leave them out.
  /// - Returns: `nil` if there is no such device.
  package init?(
    node: String, in directory: String = usualDirectory,
    quirks: @autoclosure () -> QuirkDatabase? = .installed
  ) {
    guard let event = node.split(separator: "/").last, event.hasPrefix("event") else { return nil }
    path = "\(directory)/\(event)"
    self.node = "/dev/input/\(event)"
    guard let name = SystemFile.line(of: "\(path)/device/name") else { return nil }
    self.name = name
    bus = number("bustype")
    vendor = number("vendor")
    product = number("product")
    version = number("version")
    properties = bits("properties")
    events = bits("capabilities/ev") ?? events
    keys = bits("capabilities/key") ?? keys
    relativeAxes = bits("capabilities/rel") ?? relativeAxes
    absoluteAxes = bits("capabilities/abs") ?? absoluteAxes
    switches = bits("capabilities/sw") ?? switches
    if isKeyboard || isPointer || isTabletSwitch, let quirks = quirks() {
      self.quirks = quirks.quirks(of: self)
    }
  }

  /// All input devices.
  /// - Parameter quirks: `nil` to leave them out.
  package static func all(
    in directory: String = usualDirectory, quirks: QuirkDatabase? = .installed
  ) -> [KernelInput] {
    SystemFile.names(in: directory).sorted().compactMap {
      KernelInput(node: $0, in: directory, quirks: quirks)
    }
  }

  /// Of the nearest parent device that has one; empty if unknown.
  package var driver: String {
    let parents = SystemFile.upward(from: "\(path)/device").lazy
    return parents.compactMap { SystemFile.linkName(of: "\($0)/driver") }.first ?? ""
  }

  /// The kernel's `removable` of the ports of all USB parent devices, except the root hub.
  package var usbPorts: [String] {
    var parent = ""
    var ports: [String] = []
    for part in SystemFile.realPath(path)?.split(separator: "/") ?? [] {
      parent += "/\(part)"
      // "1-7" or "1-7.2"; "usb1" is the hub, "1-7:1.0" an interface.
      guard part.first?.isNumber == true, part.contains("-"), !part.contains(":") else { continue }
      if let port = SystemFile.line(of: "\(parent)/removable") { ports.append(port) }
    }
    return ports
  }

  /// 0 if unknown.
  private func number(_ id: String) -> UInt16 {
    SystemFile.line(of: "\(path)/device/id/\(id)").flatMap { UInt16($0, radix: 16) } ?? 0
  }

  private func bits(_ file: String) -> BitSet? {
    let words = SystemFile.line(of: "\(path)/device/\(file)") ?? ""
    return words.isEmpty ? nil : BitSet(words: words)
  }

  /// Numbers of linux/input.h: PCI, ISA, PS/2, I2C (and SMBus, which the kernel counts as I2C), HOST (the platform),
  /// SPI, RMI, INTEL_ISHTP, AMD_SFH; and MEI, of linux-surface's driver `ipts`.
  private static let boardBuses: Set<UInt16> = [0x01, 0x10, 0x11, 0x18, 0x19, 0x1c, 0x1d, 0x1f, 0x20, 0x44]
  private static let usb: UInt16 = 0x03

  /// Whether an input device is wired to the board: over I2C, SPI, PCI, PS/2, a sensor hub, the platform, or a fixed
  /// USB port. Any other on USB or Bluetooth may also be inside the machine.
  /// - Parameters:
  ///   - bus: the kernel's `bustype`; 0 if unknown.
  ///   - path: udev's `ID_PATH`, used if the bus is unknown.
  ///   - usbPorts: the kernel's `removable` of each USB port between the board and the device.
  package static func isOnBoard(bus: UInt16, path: String = "", usbPorts: [String] = []) -> Bool {
    switch bus {
    case 0: !path.contains("-usb-") && (path.hasPrefix("platform-") || path.contains("-platform-"))
    case usb: !usbPorts.isEmpty && usbPorts.allSatisfy { $0 == "fixed" }
    default: boardBuses.contains(bus)
    }
  }
}

nonisolated extension KernelInput.BitSet {
  /// - Parameter words: the kernel's hexadecimal words, the most significant first.
  package init(words: String) {
    self.init()
    for (index, word) in words.split(separator: " ").reversed().enumerated() {
      let bits = UInt(word, radix: 16) ?? 0
      for bit in 0..<UInt.bitWidth where bits & 1 << bit != 0 { insert(index * UInt.bitWidth + bit) }
    }
  }
}
