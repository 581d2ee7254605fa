// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Touchscreens and pens: Hyprland does not rotate them automatically, but has a transform setting for each device,
/// with the monitor's values.
struct HyprlandTouch {
  /// The devices as udev describes them.
  let touchscreens: MappedTouchscreens
  private(set) var names: [String] = []

  /// - Parameter devices: the answer to `j/devices`.
  mutating func use(_ devices: JSONValue) {
    let entries = (devices["touch"]?.elements ?? []) + (devices["tablets"]?.elements ?? [])
    names = entries.compactMap { $0["name"]?.string }.filter(Self.isSafeName)
  }

  static func isSafeName(_ name: String) -> Bool {
    !name.isEmpty && !name.unicodeScalars.contains { "[];/ ".unicodeScalars.contains($0) || $0.isDisruptive }
  }

  /// All devices, also those that should not follow a panel.
  /// - Parameter outputs: all of them.
  func devices(
    among outputs: [CompositorOutput], _ settings: DisplaySettings, _ language: HyprlandLanguage
  ) -> [CompositorTouch.Device] {
    // Hyprland maps an unmapped touchscreen to the focused output, and an unmapped pen to all of them.
    let hasSeveralOutputs = outputs.count(where: \.isActive) > 1
    let known = touchscreens.devices()
    let placement = TouchPlacement(outputs: outputs.map(\.output), settings: settings)
    return names.map { name in
      let facts = known.filter { Self.mayBeNamed($0.name, name) }
      let all = [name] + Set(facts.map(\.name)).sorted()
      let place = settings.includes(all, onPanel: true) ? placement.place(of: facts, named: all) : nil
      let panel = place?.output.flatMap { outputs[$0] }
      let isNamed = hasSeveralOutputs || settings.touchMap.names(all)
      return CompositorTouch.Device(
        identifier: name, name: name, place: place,
        request: panel.map { language.transform(name, to: $0.transform, on: isNamed ? $0.name : nil) },
        release: panel == nil
          ? language.transform(name, to: 0, on: isNamed ? HyprlandLanguage.noOutput : nil) : nil,
        next: "check whether `hyprctl devices` lists it, or add it to `ignore` in the [touch] settings",
        follows: place.map {
          Message(.touchFollows, "“\(name)” gets the transform of \($0.output ?? "") while autorotate runs")
        })
    }
  }

  /// Whether a kernel device may have this name in Hyprland: the second device of a name ends in "-1", and so on.
  static func mayBeNamed(_ kernelName: String, _ name: String) -> Bool {
    let first = internalName(kernelName)
    guard name.hasPrefix(first) else { return false }
    let rest = name.dropFirst(first.count)
    return rest.isEmpty || rest.first == "-" && rest.count > 1 && rest.dropFirst().allSatisfy(\.isNumber)
  }

  /// Hyprland knows only ASCII's capital letters.
  static func internalName(_ name: String) -> String {
    let bytes = name.utf8.map { byte in
      " ,\n".utf8.contains(byte) ? UInt8(ascii: "-") : (65...90).contains(byte) ? byte + 32 : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension InputDisabling {
  /// - Parameter devices: the answer to `j/devices`.
  func settle(hyprland devices: JSONValue) {
    let known = kernelDevices
    let names = ["keyboards", "mice"].flatMap { devices[$0]?.elements ?? [] }.compactMap {
      $0["name"]?.string
    }
    reconcile(
      Set(names.filter(HyprlandTouch.isSafeName)).sorted().map { name in
        SwitchableInput(
          identifier: name,
          names: [name] + known.map(\.name).filter { HyprlandTouch.mayBeNamed($0, name) },
          kernelDevices: known.filter { HyprlandTouch.internalName($0.name) == name })
      })
  }
}
