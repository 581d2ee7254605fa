// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The touchscreens and pens that have to be mapped to their panel: sway rotates input with the output that a device
/// is mapped to, and stretches it over the whole layout otherwise.
struct SwayTouch {
  /// Who maps a device.
  enum Mapping: Equatable {
    case byConfiguration
    /// By WL_OUTPUT, or (since 1.10.1) a built-in touchscreen to the one built-in output.
    case bySway
    /// By autorotate, if its output is known.
    case needed(TouchPlacement.Place)

    var place: TouchPlacement.Place? {
      if case .needed(let place) = self { place } else { nil }
    }

    func remark(on input: SwayInput, _ line: TouchMapLine) -> Message {
      switch self {
      case .byConfiguration: Message(.touchFollows, "“\(input.name)” is mapped by the sway configuration")
      case .bySway: Message(.touchFollows, "“\(input.name)” is mapped to its output by sway itself")
      case .needed(let place):
        place.remark(input.name, line)
          ?? Message(
            .touchFollows, "“\(input.name)” is mapped to \(place.output ?? "") while autorotate runs")
      }
    }
  }

  /// The connector names that sway takes for built-in panels.
  private static let builtIn = ["eDP-", "LVDS-", "DSI-"]

  /// The devices as udev describes them.
  let touchscreens: MappedTouchscreens
  var settings: DisplaySettings
  var configuration = SwayConfiguration()
  var inputs: [SwayInput] = []
  /// The answer to `get_version`; `nil` until it is known.
  var version: JSONValue?

  /// Whether sway maps the built-in touchscreen itself. Since 1.7 it should, but before 1.10.1 it tested for a path
  /// that is `platform-…` and `pci-…` at once (its 39ddab8c8, 2024-11). A fork has its own numbers, and so counts as
  /// an old one.
  var mapsBuiltInTouchscreens: Bool {
    let numbers = ["major", "minor", "patch"].map { version?[$0]?.int ?? 0 }
    return !numbers.lexicographicallyPrecedes([1, 10, 1])
  }

  /// All devices, with `nil` for those that should not follow the panel.
  func devices(among outputs: [Output]) -> [(input: SwayInput, mapping: Mapping?)] {
    let known = touchscreens.devices()
    let builtIn = outputs.count { output in Self.builtIn.contains(where: output.name.hasPrefix) }
    let detectsPanel = builtIn == 1 && mapsBuiltInTouchscreens
    let placement = TouchPlacement(outputs, settings)
    return inputs.map { input in
      let named = known.filter { $0.name == input.name }
      let isDetected = detectsPanel && named.contains { $0.isWiredIn && $0.isDirect }
      return (input, mapping(of: input, named, placement, isDetected: isDetected))
    }
  }

  /// - Parameters:
  ///   - known: the kernel devices of this name; sway cannot distinguish them.
  ///   - isDetected: whether sway itself detects that one of them belongs to the panel.
  private func mapping(
    of input: SwayInput, _ known: [MappedTouchscreens.Device], _ placement: TouchPlacement, isDetected: Bool
  ) -> Mapping? {
    guard input.isWanted(by: settings) else { return nil }
    if configuration.maps(input) { return .byConfiguration }
    let names = [input.name, input.identifier]
    let isMapped = !known.isEmpty && known.allSatisfy { $0.output != nil }
    if isMapped || isDetected, !settings.touchMap.names(names) { return .bySway }
    return .needed(placement.place(of: known, named: names))
  }

  func requests(among outputs: [Output]) -> [CompositorTouch.Device] {
    let devices = devices(among: outputs)
    let line = mapLine(for: devices)
    return devices.map { input, mapping in
      let map = { (output: String) in
        SwayMessage(.runCommand, "input \"\(input.identifier)\" map_to_output \(output)")
      }
      let output = mapping?.place?.output
      return CompositorTouch.Device(
        identifier: input.identifier, output: output, request: output.map { map("\"\($0)\"") },
        release: map("*"), complaint: { Self.complaint(input, output ?? "", $0) },
        unplaced: mapping?.place?.complaint(input.name, line))
    }
  }

  /// - Parameter devices: all of them.
  func mapLine(for devices: [(input: SwayInput, mapping: Mapping?)]) -> TouchMapLine {
    TouchMapLine(devices.map { $0.input.name }, at: devices.map { $0.mapping?.place }, settings)
  }

  private static func complaint(_ input: SwayInput, _ panel: String, _ reason: Message) -> Message {
    Message(
      .touchMisplaced,
      "sway does not map “\(input.name)” to \(panel) (\(reason)), so it may not rotate with the screen",
      next: "try `\(input.command("map_to_output \"\(panel)\""))`")
  }
}
