// SPDX-License-Identifier: MIT

/// What a person may tell the X11 backend.
package struct X11Settings: Equatable {
  /// The output that the touchscreens and pens lie on; `nil` is the built-in panel.
  package var output: String?
  /// The only devices that follow the panel, by the names of `xinput list --name-only`, upper and lower
  /// case alike; empty is every touchscreen and pen.
  package var touchDevices: [String]
  /// Devices to leave alone.
  package var ignoredDevices: [String]

  package init(output: String? = nil, touchDevices: [String] = [], ignoredDevices: [String] = []) {
    self.output = output
    self.touchDevices = touchDevices
    self.ignoredDevices = ignoredDevices
  }

  /// - Parameter onPanel: whether the device is of a kind that lies on a panel.
  func includes(_ device: String, onPanel: Bool) -> Bool {
    let isNamed = { (names: [String]) in names.contains { $0.lowercased() == device.lowercased() } }
    guard !isNamed(ignoredDevices) else { return false }
    return touchDevices.isEmpty ? onPanel : isNamed(touchDevices)
  }
}
