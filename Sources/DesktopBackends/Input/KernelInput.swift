// SPDX-License-Identifier: MIT

import Autorotation
import System

/// What the kernel tells of an input device in sysfs. The numbers are those of linux/input-event-codes.h.
nonisolated struct KernelInput: Equatable, Sendable {
  var name = ""
  var bus: UInt16 = 0
  var vendor: UInt16 = 0
  var product: UInt16 = 0
  var properties = BitSet()
  var keys = BitSet()
  var relativeAxes = BitSet()
  var absoluteAxes = BitSet()
  var switches = BitSet()

  /// A set of event codes.
  struct BitSet: Equatable, Sendable {
    private var codes: Set<Int> = []

    init(_ codes: some Sequence<Int> = []) {
      self.codes = Set(codes)
    }

    /// - Parameter words: the kernel's hexadecimal words, the most significant first.
    init(words: String) {
      for (place, word) in words.split(separator: " ").reversed().enumerated() {
        let bits = UInt(word, radix: 16) ?? 0
        for bit in 0..<UInt.bitWidth where bits & 1 << bit != 0 { codes.insert(place * UInt.bitWidth + bit) }
      }
    }

    func contains(_ code: Int) -> Bool { codes.contains(code) }
    func contains(_ range: some Sequence<Int>) -> Bool { range.allSatisfy(codes.contains) }
  }

  private enum Code {
    static let direct = 0x01
    static let tabletMode = 0x01
    static let leftButton = 0x110
    static let penTools = 0x140...0x144
    static let finger = 0x145
    static let stylusButtons = [0x14b, 0x14c, 0x149]
    /// Esc, the digits, the letters of the upper row and more: what udev takes for a keyboard.
    static let keyboard = 0x01...0x1f
  }

  /// Wired to the board: PS/2, I2C (and SMBus, which the kernel tells as I2C), SPI, RMI.
  private static let boardBuses: Set<UInt16> = [0x11, 0x18, 0x1c, 0x1d]
  private static let wacom: UInt16 = 0x056a

  /// Touchscreens, pens, and all parts of Wacom's tablets.
  var isDrawnOn: Bool {
    vendor == Self.wacom || properties.contains(Code.direct)
      || (Array(Code.penTools) + Code.stylusButtons).contains { keys.contains($0) }
  }

  /// Tells whether the device is folded to a tablet.
  var isTabletSwitch: Bool { switches.contains(Code.tabletMode) }

  /// Buttons on the housing, such as power and volume, and the lid's switch are none.
  var isKeyboard: Bool { keys.contains(Code.keyboard) }

  var isTouchpad: Bool { !isDrawnOn && keys.contains(Code.finger) && absoluteAxes.contains(0...1) }

  /// A touchpad, a pointing stick, a mouse.
  var isPointer: Bool {
    let isRelative = relativeAxes.contains(0...1)
    return keys.contains(Code.leftButton) && isRelative
      || keys.contains(Code.finger) && absoluteAxes.contains(0...1)
  }

  var isBuiltInHardware: Bool {
    Self.boardBuses.contains(bus) && !isDrawnOn && (isKeyboard || isPointer)
  }
}

nonisolated extension KernelInput {
  static let usualDirectory = "/sys/class/input"

  /// - Parameter node: "/dev/input/event4".
  /// - Returns: `nil` if there is none of that name.
  init?(node: String, in directory: String = usualDirectory) {
    guard let event = node.split(separator: "/").last, event.hasPrefix("event") else { return nil }
    let device = "\(directory)/\(event)/device"
    guard let bus = Self.number(in: "\(device)/id/bustype") else { return nil }
    self.bus = bus
    name = Self.line(of: "\(device)/name").printable()
    vendor = Self.number(in: "\(device)/id/vendor") ?? 0
    product = Self.number(in: "\(device)/id/product") ?? 0
    properties = BitSet(words: Self.line(of: "\(device)/properties"))
    keys = BitSet(words: Self.line(of: "\(device)/capabilities/key"))
    relativeAxes = BitSet(words: Self.line(of: "\(device)/capabilities/rel"))
    absoluteAxes = BitSet(words: Self.line(of: "\(device)/capabilities/abs"))
    switches = BitSet(words: Self.line(of: "\(device)/capabilities/sw"))
  }

  /// All that there are.
  static func all(in directory: String = usualDirectory) -> [KernelInput] {
    SystemFile.names(in: directory).compactMap { KernelInput(node: $0, in: directory) }
  }

  private static func number(in path: String) -> UInt16? {
    UInt16(line(of: path), radix: 16)
  }

  private static func line(of path: String) -> String {
    SystemFile.line(of: path) ?? ""
  }
}
