// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// An input device that reports the posture, with its current value.
nonisolated package struct PostureInspection: Equatable, Sendable {
  package var input: PostureInput
  /// Whether this user may read it.
  package var isReadable: Bool
  package var says = Posture.unknown
  /// Whether it is ignored, since libinput marks it as unreliable.
  package var isUnreliable = false

  /// All of them; keys and a keyboard only if the settings name them.
  @MainActor
  package static func inspect(_ choice: TabletSwitchChoice, keyboard: String?) -> [Self] {
    let cover = keyboard.map { name in
      let says = KernelInput.isConnected(name) ? Posture.laptop : .tablet
      return Self(input: PostureInput(kind: .keyboard, name: name), isReadable: true, says: says)
    }
    let ignored = PostureCandidate.ignored(choice).map {
      Self(input: $0, isReadable: true, isUnreliable: true)
    }
    return PostureCandidate.all(choice).flatMap(inspect) + ignored + [cover].compactMap(\.self)
  }

  /// What to do if the user may not read a tablet switch.
  /// - Parameter root: a directory that replaces /.
  package static func stepIfRefused(root: String = "") -> Phrase {
    isRuleInstalled(root)
      ? "with the udev rule 61-autorotate.rules, only the user at the screen and the group input may read it: "
        + "log in there; if you are at the screen, restart the machine"
      : "install the udev rule 61-autorotate.rules and restart the machine"
  }

  private static func isRuleInstalled(_ root: String) -> Bool {
    ["etc", "usr/local/lib", "usr/lib", "lib"].contains {
      SystemFile.isFile("\(root)/\($0)/udev/rules.d/61-autorotate.rules")
    }
  }

  @MainActor
  private static func inspect(at candidate: PostureCandidate) -> [Self] {
    let device = try? EventDevice(candidate.path)
    let states = device.flatMap { candidate.switchStates(of: $0.descriptor) }
    return candidate.inputs.map { input in
      Self(
        input: input, isReadable: device != nil,
        says: states.map { candidate.reading(of: input.kind, on: $0, keys: .unknown) } ?? .unknown)
    }
  }
}

nonisolated extension MissingDevice {
  /// Why a tablet switch may be missing, with the next step. soc_button_array requests the GPIOs of a button array
  /// once, and gives up if the pin controller is not loaded yet.
  package var buttonArray: Message? {
    guard let device = buttonArrays.first, let pins = pinControllers.first,
      driver(of: "bus/platform/devices/\(device)") == nil
    else { return nil }
    return Message(
      .postureUnknown,
      "the button array \(device), which may have the tablet switch, has no driver: soc_button_array was loaded before \(pins)",
      next:
        "write “softdep soc_button_array pre: \(pins)” to a file in /etc/modprobe.d, and restart the machine")
  }

  private var buttonArrays: [String] {
    names("bus/platform/devices").sorted()
      .filter { $0.hasPrefix("INT33D3") || $0.hasPrefix("ACPI0011") }.map { $0.printable(limit: 64) }
  }

  /// Only modules: a driver that is built in is there before any module.
  private var pinControllers: [String] {
    names("module").sorted()
      .filter { $0.hasPrefix("pinctrl_") && SystemFile.isFile("\(sys)/module/\($0)/initstate") }
      .map { $0.printable(limit: 64) }
  }
}
