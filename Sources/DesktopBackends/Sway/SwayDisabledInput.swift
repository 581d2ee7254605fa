// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Keyboards, pointing devices and touchscreens off, by libinput's `send_events`.
extension InputDisabling {
  convenience init(
    sway connection: SwayConnection, runtime: StateFile, kernelDirectory: String,
    note: @escaping (Message) -> Void
  ) {
    let kept = KeptInputStates(runtime, known: ["enabled", "disabled_on_external_mouse"])
    self.init(
      kept: kept, kernelDirectory: kernelDirectory, note: note,
      Way(
        disabled: "disabled",
        set: { word, identifier, failed in
          connection.run("input \"\(identifier)\" events \(word)") { result in
            if case .failure(let reason) = result { failed(reason) }
          }
        },
        complaint: { input, reason in
          input.stays(
            on: "sway", reason, next: "try `swaymsg input \(input.identifier) events disabled`")
        }))
  }
}

extension SwitchableInput {
  /// - Parameter known: all that the kernel knows.
  /// - Returns: `nil` for a pen, what is to be left alone, or what is not libinput's: an on-screen keyboard's.
  init?(_ input: SwayInput, among known: [KernelInput], _ settings: DisplaySettings) {
    guard let state = input.sendEvents else { return nil }
    if input.type == "touch", settings.mayChange([input.name, input.identifier]) {
      self.init(
        identifier: input.identifier, names: [input.name], state: state, isTouchscreen: true)
      return
    }
    guard input.isKeyboardOrPointer else { return nil }
    self.init(
      identifier: input.identifier, names: [input.name, input.identifier], state: state,
      kernelDevices: known.filter { $0.swayIdentifier == input.identifier })
  }
}

extension KernelInput {
  /// How sway names such a device.
  nonisolated var swayIdentifier: String {
    let printable = name.unicodeScalars.map { scalar -> Character in
      scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7f ? Character(scalar) : "_"
    }
    return "\(vendor):\(product):\(String(printable))"
  }
}
