// SPDX-License-Identifier: MIT

import Autorotation

/// Which touchscreens and pens have to be mapped to the panel: sway turns what they say with the output that they are
/// mapped to, and stretches it over the whole layout while they are mapped to none.
struct SwayTouch {
  /// Who maps a device.
  enum Mapping: Equatable {
    case byConfiguration
    /// By WL_OUTPUT, or (since 1.10.1) a built-in touchscreen to the one built-in output.
    case bySway
    case needed

    func remark(on input: SwayInput, _ panel: String?) -> Message {
      switch (self, panel) {
      case (.byConfiguration, _):
        Message(.touchFollows, "“\(input.name)” lies where the sway configuration maps it")
      case (.bySway, _): Message(.touchFollows, "“\(input.name)” is mapped to its output by sway itself")
      case (.needed, let panel?):
        Message(.touchFollows, "“\(input.name)” is mapped to \(panel) while autorotate runs")
      case (.needed, nil):
        Message(
          .touchAstray, "“\(input.name)” is mapped to no output, since none is known to be the panel",
          next: "name the panel as `output` in the [display] settings")
      }
    }
  }

  /// What sway takes for built-in panels.
  private static let builtIn = ["eDP-", "LVDS-", "DSI-"]

  /// What the device manager knows of them.
  let touchscreens: MappedTouchscreens
  var settings: DisplaySettings
  var configuration = SwayConfiguration()
  var inputs: [SwayInput] = []
  /// `nil` as long as it is not known.
  var version: SwayVersion?
  private var builtInOutputs = 0

  init(_ touchscreens: MappedTouchscreens, settings: DisplaySettings) {
    self.touchscreens = touchscreens
    self.settings = settings
  }

  mutating func use(_ outputs: [CompositorOutput]) {
    builtInOutputs = outputs.count { output in Self.builtIn.contains(where: output.name.hasPrefix) }
  }

  /// All, with `nil` for those that are not to follow the panel.
  var devices: [(input: SwayInput, mapping: Mapping?)] {
    let known = touchscreens.devices()
    return inputs.map { input in (input, mapping(of: input, known.first { $0.name == input.name })) }
  }

  private func mapping(of input: SwayInput, _ facts: MappedTouchscreens.Device?) -> Mapping? {
    guard input.isWanted(by: settings, isDirect: facts?.isDirect) else { return nil }
    if configuration.maps(input) { return .byConfiguration }
    guard let facts else { return .needed }
    if facts.output != nil { return .bySway }
    let findsIt = version?.mapsBuiltInTouchscreens ?? false
    return findsIt && facts.isWiredIn && builtInOutputs == 1 ? .bySway : .needed
  }

  func devices(on panel: String) -> [CompositorTouch.Device] {
    devices.map { input, mapping in
      let place = { (output: String) in
        SwayMessage(.runCommand, "input \"\(input.identifier)\" map_to_output \(output)")
      }
      return CompositorTouch.Device(
        identifier: input.identifier, request: mapping == .needed ? place("\"\(panel)\"") : nil,
        release: place("*"), complaint: { Self.complaint(input, panel, $0) })
    }
  }

  private static func complaint(_ input: SwayInput, _ panel: String, _ reason: Message) -> Message {
    Message(
      .touchAstray,
      "sway does not map “\(input.name)” to \(panel) (\(reason)), so it may not follow the picture",
      next: "try `swaymsg input \(input.identifier) map_to_output \(panel)`")
  }
}
