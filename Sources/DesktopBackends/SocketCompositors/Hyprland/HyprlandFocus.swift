// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The active window, from `j/activewindow`.
enum HyprlandFocus {
  /// - Parameter monitors: to find the name for the monitor's number.
  /// - Returns: `nil` if no window is active, such as while a menu or launcher has the keyboard.
  static func window(
    _ value: JSONValue, among monitors: [CompositorOutput], withTitle: Bool = false
  ) -> Window? {
    guard let id = value["address"]?.string.flatMap(number) else { return nil }
    let names = [value["class"], value["initialClass"]].compactMap { $0?.string }.filter { !$0.isEmpty }
    let monitor = value["monitor"]?.int
    return Window(
      id: id, identifiers: names.eachOnce, title: withTitle ? value["title"]?.string : nil,
      isFullscreen: isFullscreen(value), output: monitors.first { $0.number == monitor }?.name,
      process: value["pid"]?.int.flatMap(Int32.init(exactly:)))
  }

  /// Since 0.42 a number of two bits, of which the higher is fullscreen and the lower maximized; before, a Boolean
  /// with the kind in `fullscreenMode`.
  private static func isFullscreen(_ value: JSONValue) -> Bool {
    if let bits = value["fullscreen"]?.int { return bits & 2 != 0 }
    return value["fullscreen"]?.bool == true && value["fullscreenMode"]?.int ?? 0 == 0
  }

  /// Whether a window is still there behind the menu or launcher that has the keyboard.
  /// - Parameter workspace: the answer to `j/activeworkspace`.
  static func isBehind(_ window: Window, _ workspace: JSONValue) -> Bool {
    workspace["windows"]?.int ?? 0 > 0 && workspace["lastwindow"]?.string.flatMap(number) == window.id
  }

  /// "0x55d5b4b0d2a0"
  private static func number(_ address: String) -> UInt64? {
    guard address.hasPrefix("0x") else { return nil }
    return UInt64(address.dropFirst(2), radix: 16).flatMap { $0 == 0 ? nil : $0 }
  }
}
