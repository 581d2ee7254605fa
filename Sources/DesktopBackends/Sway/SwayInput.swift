// SPDX-License-Identifier: MIT

/// An input device as `get_inputs` tells it.
struct SwayInput: Equatable {
  /// "1386:18756:Wacom_HID_4944_Finger".
  var identifier: String
  /// "Wacom HID 4944 Finger".
  var name: String
  /// libinput's word: "touch", "tablet_tool", "pointer"…
  var type: String

  init(identifier: String, name: String, type: String) {
    self.identifier = identifier
    self.name = name
    self.type = type
  }

  /// `nil` for what cannot be addressed in a command.
  init?(_ value: JSONValue) {
    guard let identifier = value["identifier"]?.string, let type = value["type"]?.string,
      !identifier.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline })
    else { return nil }
    self.init(identifier: identifier, name: value["name"]?.string ?? identifier, type: type)
  }

  /// Touchscreens and pens; sway calls touchpads pointers.
  var isTouchOrPen: Bool { type == "touch" || type == "tablet_tool" }

  /// - Parameter isDirect: whether the kernel says that one touches what one sees; `nil` if it does not say.
  func isWanted(by settings: DisplaySettings, isDirect: Bool?) -> Bool {
    let names = [name, identifier]
    let allButIgnored = DisplaySettings(ignoredDevices: settings.ignoredDevices)
    guard names.allSatisfy({ allButIgnored.includes($0, onPanel: true) }) else { return false }
    return names.contains { settings.includes($0, onPanel: isTouchOrPen && isDirect ?? true) }
  }
}
