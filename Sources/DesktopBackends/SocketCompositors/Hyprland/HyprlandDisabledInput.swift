// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Disables keyboards and pointing devices, by the setting `enabled` of each. Hyprland does not report that setting,
/// and drops it when it reloads its configuration.
extension InputDisabling {
  convenience init(
    hyprland set:
      @escaping (_ device: String, _ isEnabled: Bool, _ failed: @escaping (Message) -> Void) -> Void,
    runtime: StateFile, kernelDirectory: String, note: @escaping (Message) -> Void
  ) {
    self.init(
      kept: runtime, kernelDirectory: kernelDirectory, note: note,
      Commands(
        disabled: "false", others: ["true"], set: { set($1, $0 == "true", $2) },
        complaint: { input, reason in
          input.stays(on: "Hyprland", reason, next: "check whether `hyprctl devices` lists it")
        }))
  }

  /// - Parameter devices: the answer to `j/devices`.
  func settle(hyprland devices: JSONValue) {
    let known = kernelDevices
    let names = ["keyboards", "mice"].flatMap { devices[$0]?.elements ?? [] }.compactMap {
      $0["name"]?.string
    }
    reconcile(
      Set(names.filter(HyprlandTouch.isSafeName)).sorted().map { name in
        SwitchableInput(
          identifier: name, names: [name],
          kernelDevices: known.filter { HyprlandTouch.internalName($0.name) == name })
      })
  }
}
