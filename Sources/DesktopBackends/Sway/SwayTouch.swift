// SPDX-License-Identifier: MIT

import Autorotation

/// Which touchscreens and pens have to be mapped to their panel: sway turns what they say with the output that they are
/// mapped to, and stretches it over the whole layout while they are mapped to none.
struct SwayTouch {
  /// Who maps a device.
  enum Mapping: Equatable {
    case byConfiguration
    /// By WL_OUTPUT, or (since 1.10.1) a built-in touchscreen to the one built-in output.
    case bySway
    /// By us, where it lies on an output.
    case needed(TouchPlacement.Place)

    func remark(on input: SwayInput) -> Message {
      switch self {
      case .byConfiguration:
        Message(.touchFollows, "“\(input.name)” lies where the sway configuration maps it")
      case .bySway: Message(.touchFollows, "“\(input.name)” is mapped to its output by sway itself")
      case .needed(let place):
        place.remark(input.name)
          ?? Message(
            .touchFollows, "“\(input.name)” is mapped to \(place.output ?? "") while autorotate runs")
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
  private var outputs: [Output] = []
  /// Of an output, by its name.
  private let size: (String) -> PhysicalSize?

  init(
    _ touchscreens: MappedTouchscreens, settings: DisplaySettings,
    size: @escaping (String) -> PhysicalSize? = { PhysicalSize(connector: $0) }
  ) {
    self.touchscreens = touchscreens
    self.settings = settings
    self.size = size
  }

  mutating func use(_ outputs: [CompositorOutput]) {
    self.outputs = outputs.map(\.output)
    builtInOutputs = outputs.count { output in Self.builtIn.contains(where: output.name.hasPrefix) }
  }

  /// All, with `nil` for those that are not to follow the panel.
  var devices: [(input: SwayInput, mapping: Mapping?)] {
    let known = touchscreens.devices()
    let placement = TouchPlacement(outputs, settings, size: size)
    return inputs.map { input in
      (input, mapping(of: input, known.filter { $0.name == input.name }, placement))
    }
  }

  /// - Parameter known: more than one, if several have this name: to sway they are the same.
  private func mapping(
    of input: SwayInput, _ known: [MappedTouchscreens.Device], _ placement: TouchPlacement
  ) -> Mapping? {
    guard input.isWanted(by: settings) else { return nil }
    if configuration.maps(input) { return .byConfiguration }
    let names = [input.name, input.identifier]
    let isMapped = !known.isEmpty && known.allSatisfy { $0.output != nil }
    if isMapped || isFound(known), !settings.touchMap.names(names) { return .bySway }
    return .needed(placement.place(of: known, named: names))
  }

  /// Whether sway finds out by itself that one of them lies on the panel.
  private func isFound(_ known: [MappedTouchscreens.Device]) -> Bool {
    let findsIt = version?.mapsBuiltInTouchscreens ?? false
    return findsIt && builtInOutputs == 1 && known.contains { $0.isWiredIn && $0.isDirect }
  }

  var requests: [CompositorTouch.Device] {
    devices.map { input, mapping in
      let map = { (output: String) in
        SwayMessage(.runCommand, "input \"\(input.identifier)\" map_to_output \(output)")
      }
      let place: TouchPlacement.Place? = if case .needed(let place) = mapping { place } else { nil }
      let output = place?.output
      return CompositorTouch.Device(
        identifier: input.identifier, output: output, request: output.map { map("\"\($0)\"") },
        release: map("*"), complaint: { Self.complaint(input, output ?? "", $0) },
        astray: place?.complaint(input.name))
    }
  }

  private static func complaint(_ input: SwayInput, _ panel: String, _ reason: Message) -> Message {
    Message(
      .touchAstray,
      "sway does not map “\(input.name)” to \(panel) (\(reason)), so it may not follow the picture",
      next: "try `swaymsg input \(input.identifier) map_to_output \(panel)`")
  }
}
