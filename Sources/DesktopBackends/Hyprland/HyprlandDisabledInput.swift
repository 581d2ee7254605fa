// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Keyboards and pointing devices off, by the setting `enabled` of each. Hyprland does not tell that setting, so what
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
          Message(
            .inputNotDisabled, "Hyprland does not disable “\(input.names[0])” in tablet posture (\(reason))",
            next: "see whether `hyprctl devices` knows it")
        }))
  }

  var wanted: DisabledInput? {
    get { disabling.wanted }
    set { disabling.wanted = newValue }
  }

  func configurationWasRead() {
    off = []
  }

  /// - Parameter devices: the answer to `j/devices`.
  func settle(_ devices: JSONValue) {
    let known = disabling.kernelDevices
    let names = ["keyboards", "mice"].flatMap { devices[$0]?.elements ?? [] }.compactMap {
      $0["name"]?.string
    }
    let inputs = Set(names.filter(HyprlandTouch.isSpeakable)).sorted().map { name in
      SwitchableInput(
        identifier: name, names: [name], state: off.contains(name) ? "false" : "true",
        kernelDevices: known.filter { HyprlandTouch.internalName($0.name) == name })
    }
    disabling.settle(inputs)
    off = Set(names.filter(disabling.isDisabled))
  }

  func stop() {
    disabling.stop()
  }
}
