// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Keyboards, pointing devices and touchscreens off, by the setting `enabled` of each. Hyprland does not tell that setting, so what
/// was not switched off here counts as on; and it forgets it when it reads its configuration.
final class HyprlandDisabledInput {
  private let disabling: InputDisabling
  /// Off by what was sent since the configuration was read last.
  private var off: Set<String>

  init(
    runtime: StateFile, kernelDirectory: String, note: @escaping (Message) -> Void,
    set: @escaping (_ device: String, _ isEnabled: Bool, _ failed: @escaping (Message) -> Void) -> Void
  ) {
    let kept = KeptInputStates(runtime, known: ["true"])
    off = Set(kept.identifiers)
    disabling = InputDisabling(
      kept: kept, kernelDirectory: kernelDirectory, note: note,
      InputDisabling.Way(
        disabled: "false", set: { set($1, $0 == "true", $2) },
        complaint: { input, reason in
          input.stays(on: "Hyprland", reason, next: "see whether `hyprctl devices` knows it")
        }))
  }

  var wanted: DisabledInput? {
    get { disabling.wanted }
    set { disabling.wanted = newValue }
  }

  var isTouchOff: Bool {
    get { disabling.isTouchOff }
    set { disabling.isTouchOff = newValue }
  }

  func configurationWasRead() {
    off = []
  }

  /// - Parameter devices: the answer to `j/devices`.
  func settle(_ devices: JSONValue, _ settings: DisplaySettings) {
    let known = disabling.kernelDevices
    let typed = Self.names(of: ["keyboards", "mice"], in: devices)
    let touched = Self.names(of: ["touch"], in: devices).filter { settings.mayChange([$0]) }
    let inputs = (typed + touched).map { name in
      SwitchableInput(
        identifier: name, names: [name], state: off.contains(name) ? "false" : "true",
        kernelDevices: known.filter { HyprlandTouch.internalName($0.name) == name },
        isTouchscreen: !typed.contains(name))
    }
    disabling.settle(inputs)
    off = Set(inputs.map(\.identifier).filter(disabling.isDisabled))
  }

  private static func names(of kinds: [String], in devices: JSONValue) -> [String] {
    let names = kinds.flatMap { devices[$0]?.elements ?? [] }.compactMap { $0["name"]?.string }
    return Set(names.filter(HyprlandTouch.isSpeakable)).sorted()
  }

  func stop() {
    disabling.stop()
  }
}
