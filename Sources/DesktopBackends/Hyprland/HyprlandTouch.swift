// SPDX-License-Identifier: MIT

import Autorotation

/// Touchscreens and pens: Hyprland turns none by itself, but lays a matrix over what each says, by a setting of the
/// device that is numbered like the monitor's transform.
struct HyprlandTouch {
  var settings: DisplaySettings
  private var names: [String] = []

  init(settings: DisplaySettings) {
    self.settings = settings
  }

  /// - Parameter devices: the answer to `j/devices`.
  mutating func use(_ devices: JSONValue) {
    let entries = (devices["touch"]?.elements ?? []) + (devices["tablets"]?.elements ?? [])
    names = entries.compactMap { $0["name"]?.string }.filter(Self.isSpeakable)
  }

  static func isSpeakable(_ name: String) -> Bool {
    !name.isEmpty && !name.unicodeScalars.contains { "[];/ ".unicodeScalars.contains($0) || $0.isDisruptive }
  }

  /// Those that are to follow their panel, with where that is.
  /// - Parameter outputs: all of them.
  func devices(among outputs: [Output]) -> [(name: String, place: TouchPlacement.Place)] {
    let known = MappedTouchscreens(panel: "").devices()
    let placement = TouchPlacement(outputs, settings)
    return names.compactMap { name in
      let facts = known.first { Self.internalName($0.name) == name }
      guard settings.includes(name, onPanel: facts?.isDirect ?? true) else { return nil }
      let names = [name] + (facts.map { [$0.name] } ?? [])
      return (name, placement.place(of: .init(names: names, output: facts?.output, size: facts?.size)))
    }
  }

  /// What Hyprland makes of a device's name.
  static func internalName(_ name: String) -> String {
    String(name.lowercased().map { " ,\n".contains($0) ? "-" : $0 })
  }

  static func complaint(_ name: String, _ reason: Message) -> Message {
    Message(
      .touchAstray, "Hyprland does not turn “\(name)” with the picture (\(reason))",
      next: "see whether `hyprctl devices` knows it, or name it under `ignore` in the [touch] settings")
  }
}
