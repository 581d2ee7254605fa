// SPDX-License-Identifier: MIT

import Autorotation

/// A report of KWin's script on the active window; `KWinScript.arguments` names its fields.
struct KWinFocusReport: Equatable, Sendable {
  /// How the script identifies the window's output.
  enum Place: Equatable, Sendable {
    case output(String)
    /// KWin 5 gives scripts no output names, so the output is found by its place in the layout.
    case area(ScreenRectangle)
    case unknown
  }

  var id: UInt64
  var role: Window.Role
  var identifiers: [String]
  var isFullscreen: Bool
  var place: Place

  /// `nil` if no window is active, or if the fields are not those of the script.
  init?(_ words: [String]) {
    guard words.count == KWinScript.arguments.count, let id = Self.number(words[0]) else { return nil }
    self.id = id
    role = words[1] == "auxiliary" ? .auxiliary : .application
    identifiers = words[2...4].reduce(into: []) { names, name in
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    isFullscreen = words[5] == "true"
    place = Self.place(output: words[6], area: words[7])
  }

  /// KWin identifies windows by a UUID in braces; its first half is unique within a session.
  private static func number(_ uuid: String) -> UInt64? {
    let digits = uuid.filter(\.isHexDigit)
    return digits.count == 32 ? UInt64(digits.prefix(16), radix: 16) : nil
  }

  private static func place(output: String, area: String) -> Place {
    if !output.isEmpty { return .output(output) }
    let numbers = area.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return .unknown }
    return .area(ScreenRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
  }

  /// - Parameter displays: the outputs at their current places.
  /// - Returns: `nil` if there is no such output; around a rotation, the script and the layout may differ for a
  ///   moment.
  func output(among displays: [CompositorOutput]) -> String? {
    switch place {
    case .output(let name): name
    case .area(let area): displays.first { $0.isActive && $0.rectangle == area }?.name
    case .unknown: nil
    }
  }

  func window(on output: String?) -> Window {
    Window(id: id, role: role, identifiers: identifiers, isFullscreen: isFullscreen, output: output)
  }
}
