// SPDX-License-Identifier: MIT

package import Autorotation

/// What a person sets about the displays: which output turns, and which touchscreens and pens follow it.
nonisolated package struct DisplaySettings: Equatable, Sendable {
  /// The outputs that turn.
  package var output: OutputChoice
  /// The only devices that follow it, by name (on X11 as in `xinput list --name-only`), without regard to
  /// case; `*` and `?` stand for any text and any character. Empty is every touchscreen and pen.
  package var touchDevices: [String]
  /// Where devices lie of which it cannot be told, or is told wrongly.
  package var touchMap: [TouchAssignment]
  /// Devices to leave alone.
  package var ignoredDevices: [String]

  /// Whether to switch off a desktop's own rotation instead of leaving the picture to it.
  package var takesOver: Bool

  package init(
    output: OutputChoice = nil, touchDevices: [String] = [], ignoredDevices: [String] = [],
    touchMap: [TouchAssignment] = [], takesOver: Bool = false
  ) {
    self.output = output
    self.touchDevices = touchDevices
    self.ignoredDevices = ignoredDevices
    self.touchMap = touchMap
    self.takesOver = takesOver
  }

  /// - Parameter onPanel: whether the device is of a kind that lies on a panel.
  package func includes(_ device: String, onPanel: Bool) -> Bool {
    let isNamed = { (names: [String]) in names.contains { ApplicationRule.pattern($0, matches: device) } }
    guard !isNamed(ignoredDevices) else { return false }
    return touchDevices.isEmpty ? onPanel : isNamed(touchDevices)
  }
}
