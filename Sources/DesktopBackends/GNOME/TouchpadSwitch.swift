// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Disables the touchpads of GNOME or Cinnamon: one setting for all of them, which outlives the session. There is none
/// for keyboards; libinput itself disables built-in ones if a tablet-mode switch exists.
final class TouchpadSwitch {
  private let desktop: MutterDesktop
  private let setting: HeldSetting
  private let kernelDirectory: String
  private let note: (Message) -> Void
  private var hasComplained = false

  init(
    _ desktop: MutterDesktop, loop: EventLoop, program: String, kept: StateFile, kernelDirectory: String,
    note: @escaping (Message) -> Void
  ) {
    self.desktop = desktop
    self.kernelDirectory = kernelDirectory
    self.note = note
    setting = HeldSetting(
      [desktop.touchpadSchema, "send-events"], held: "disabled",
      others: ["enabled", "disabled-on-external-mouse"], loop: loop, program: program, stateFile: kept)
  }

  /// - Returns: whether the devices include a touchpad.
  func disable(_ devices: DisabledInput?) -> Bool {
    guard let devices, includesTouchpad(devices) else {
      restore()
      return devices == nil
    }
    setting.acquire { [weak self] in self?.complain($0) }
    return true
  }

  /// At the start, it enables what a killed daemon left disabled.
  func restore() { setting.release { [weak self] in self?.complain($0) } }

  /// Called last, when the loop will not run again.
  func stop() { setting.releaseAndWait() }

  private func includesTouchpad(_ devices: DisabledInput) -> Bool {
    KernelInput.all(in: kernelDirectory).contains { $0.isTouchpad && devices.includes([$0.name], [$0]) }
  }

  private func complain(_ failure: Phrase?) {
    guard let failure, !hasComplained else { return }
    hasComplained = true
    note(
      Message(.inputNotDisabled, "\(desktop.name)'s touchpad cannot be switched in tablet mode (\(failure))"))
  }
}
