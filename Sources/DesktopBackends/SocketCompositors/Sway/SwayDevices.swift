// SPDX-License-Identifier: MIT

import Autorotation
import System

/// An input device from `get_inputs`.
struct SwayInput: Equatable {
  /// "1386:18756:Wacom_HID_4944_Finger".
  var identifier: String
  /// "Wacom HID 4944 Finger".
  var name: String
  /// libinput's type: "touch", "tablet_tool", "pointer"…
  var type: String
  /// "enabled", "disabled"…; `nil` for a device without libinput.
  var sendEvents: String?
}

extension SwayInput {
  /// `nil` for a device that a command cannot name.
  init?(_ value: JSONValue) {
    guard let identifier = value["identifier"]?.string, let type = value["type"]?.string,
      StateFile.isName(identifier)
    else { return nil }
    self.init(
      identifier: identifier, name: (value["name"]?.string ?? identifier).printable(), type: type,
      sendEvents: value["libinput"]?["send_events"]?.string)
  }

  /// Touchscreens and pens; sway calls touchpads pointers.
  var isTouchOrPen: Bool { type == "touch" || type == "tablet_tool" }

  /// Including touchpads and pointing sticks, but no part of a graphics tablet.
  var isKeyboardOrPointer: Bool { ["keyboard", "pointer", "touchpad"].contains(type) }

  func command(_ words: String) -> String { Self.command(words, on: identifier) }

  /// A command for the user. sway reads the words again, as a command of its own.
  static func command(_ words: String, on identifier: String) -> String {
    "swaymsg \("input \"\(identifier)\" \(words)".asArgument)"
  }

  func isWanted(by settings: DisplaySettings) -> Bool {
    settings.includes([name, identifier], onPanel: isTouchOrPen)
  }
}

extension SwitchableInput {
  /// - Parameter known: all kernel devices.
  /// - Returns: `nil` for a touchscreen, a pen, or a device without libinput, such as an on-screen keyboard.
  init?(_ input: SwayInput, among known: [KernelInput]) {
    guard let state = input.sendEvents, input.isKeyboardOrPointer else { return nil }
    self.init(
      identifier: input.identifier, names: [input.name, input.identifier], state: state,
      kernelDevices: known.filter { $0.swayIdentifier == input.identifier })
  }
}

extension KernelInput {
  /// sway's identifier for this device, which has an underscore for each byte that is not printable ASCII.
  nonisolated var swayIdentifier: String {
    let printable = name.utf8.map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "_") }
    return "\(vendor):\(product):\(String(decoding: printable, as: UTF8.self))"
  }
}

extension CompositorOutput {
  /// - Parameter value: an element of `get_outputs`; `nil` for one without a name.
  init?(sway value: JSONValue) {
    guard let name = value["name"]?.string else { return nil }
    let mode = value["current_mode"] ?? value["modes"]?.elements.first
    self.init(
      name: name, isActive: value["active"]?.bool ?? false,
      // Two names for the same member, the first since 1.8.
      hasPower: (value["power"] ?? value["dpms"])?.bool ?? true, width: (mode?["width"]).extent,
      height: (mode?["height"]).extent, scale: value["scale"]?.double ?? 1,
      rectangle: ScreenRectangle(value["rect"]))
    transform = value["transform"]?.string.flatMap(Self.swayTransforms.firstIndex) ?? 0
  }

  /// In the order of `wl_output.transform`: sway's angles are clockwise, those of Wayland anticlockwise.
  private static let swayTransforms = [
    "normal", "270", "180", "90", "flipped", "flipped-270", "flipped-180", "flipped-90",
  ]

  var swayTransform: String { Self.swayTransforms[transform] }
}
