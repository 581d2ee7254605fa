// SPDX-License-Identifier: MIT

package import Autorotation

/// The user's settings for displays: which output is rotated, and which touchscreens and pens follow it.
nonisolated package struct DisplaySettings: Equatable, Sendable {
  /// The outputs to rotate.
  package var output: OutputChoice
  /// The only devices that follow it, by name (on X11 as in `xinput list --name-only`), case-insensitive; `*` and `?` match
  /// any text and any character. Empty for all touchscreens and pens.
  package var touchDevices: [String]
  /// The outputs of devices for which they are unknown or detected wrongly.
  package var touchMap: [TouchAssignment]
  /// Devices to leave alone.
  package var ignoredDevices: [String]

  /// Whether to switch off the desktop's own rotation instead of yielding to it.
  package var takesOver: Bool

  package init(
    output: OutputChoice = OutputChoice(), touchDevices: [String] = [], ignoredDevices: [String] = [],
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
