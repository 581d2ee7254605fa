// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Disables keyboards and pointing devices, by libinput's `send_events`.
extension InputDisabling {
  convenience init(
    sway connection: SwayConnection, runtime: StateFile, kernelDirectory: String,
    note: @escaping (Message) -> Void
  ) {
    self.init(
      kept: runtime, kernelDirectory: kernelDirectory, note: note,
      Commands(
        disabled: "disabled", others: ["enabled", "disabled_on_external_mouse"],
        set: { word, identifier, failed in
          connection.run("input \"\(identifier)\" events \(word)") { result in
            if case .failure(let reason) = result { failed(reason) }
          }
        },
        complaint: { input, reason in
          input.stays(
            on: "sway", reason, next: "try `\(SwayInput.command("events disabled", on: input.identifier))`")
        }))
  }
}

extension SwitchableInput {
  /// - Parameter known: all kernel devices.
  /// - Returns: `nil` for a touchscreen, a pen, or a device without libinput, such as an on-screen keyboard.
  init?(_ input: SwayInput, among known: [KernelInput]) {
    guard let state = input.sendEvents, input.isKeyboardOrPointer else { return nil }
    self.init(
      identifier: input.identifier, names: [input.name, input.identifier], state: state,
      kernelDevices: known.filter { $0.swayIdentifier == input.identifier })
  }
}

extension KernelInput {
  /// sway's identifier for this device.
  nonisolated var swayIdentifier: String {
    let printable = name.unicodeScalars.map { scalar -> Character in
      scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7f ? Character(scalar) : "_"
    }
    return "\(vendor):\(product):\(String(printable))"
  }
}
