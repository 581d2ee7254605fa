// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// Lets touchscreens and pens follow the panel: Hyprland turns none by itself, but lays a matrix over what each
/// says, by a setting of the device that is numbered like the monitor's transform.
final class HyprlandTouch {
  private let conversation: any CompositorConversation
  private let note: (String) -> Void
  var settings: DisplaySettings
  private var names: [String] = []
  /// The transform that each device has by our word.
  private var set: [String: Int] = [:]
  private var complained: Set<String> = []

  init(
    _ conversation: any CompositorConversation, settings: DisplaySettings, note: @escaping (String) -> Void
  ) {
    self.conversation = conversation
    self.settings = settings
    self.note = note
  }

  /// Hyprland has read its configuration, and forgotten what it was told before.
  func forget() {
    set = [:]
  }

  /// - Parameter devices: the answer to `j/devices`.
  func use(_ devices: JSONValue) {
    let entries = (devices["touch"]?.elements ?? []) + (devices["tablets"]?.elements ?? [])
    names = entries.compactMap { $0["name"]?.string }.filter(Self.isSpeakable)
    set = set.filter { names.contains($0.key) }
  }

  private static func isSpeakable(_ name: String) -> Bool {
    !name.isEmpty && !name.unicodeScalars.contains { "[];/ ".unicodeScalars.contains($0) || $0.isDisruptive }
  }

  /// Those that are to follow the panel.
  var devices: [String] {
    let known = MappedTouchscreens(panel: "").devices()
    return names.filter { name in
      let isDirect = known.first { Self.internalName($0.name) == name }?.isDirect
      return settings.includes(name, onPanel: isDirect ?? true)
    }
  }

  /// What Hyprland makes of a device's name.
  private static func internalName(_ name: String) -> String {
    String(name.lowercased().map { " ,\n".contains($0) ? "-" : $0 })
  }

  func follow(_ panel: CompositorOutput, in language: HyprlandLanguage) {
    for name in devices where set[name] != panel.transform {
      let transform = panel.transform
      set[name] = transform
      conversation.ask(language.turn(name, to: transform)) { [weak self] answer in
        if case .failure(let reason) = answer.flatMap(HyprlandLanguage.outcome) {
          self?.complain(name, transform, reason)
        }
      }
    }
  }

  private func complain(_ name: String, _ transform: Int, _ reason: CompositorFailure) {
    // Tried again when something about devices or monitors changes.
    if set[name] == transform { set[name] = nil }
    guard complained.insert(name).inserted else { return }
    note(
      localized(
        "Hyprland does not turn “\(name)” with the picture (\(reason.phrase)): see whether `hyprctl devices` knows "
          + "it, or name it under `ignore` in the [touch] settings"))
  }
}
