// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Disables the touchpads of GNOME or Cinnamon: one setting for all of them, which outlives the session, so the
/// previous value is kept. There is none for keyboards; libinput itself disables built-in ones if a tablet-mode switch
/// exists.
final class TouchpadSwitch {
  private static let touchpad = "touchpad"
  private static let disabled = "disabled"

  private let desktop: MutterDesktop
  private let program: SettingsProgram
  private let kernelDirectory: String
  private let note: (Message) -> Void
  private var kept: StateTable<String>
  private var isWanted = false
  /// What the command under way is for: to disable or to restore; `nil` while there is none.
  private var target: Bool?
  private var hasFailed = false
  private var hasComplained = false

  init(
    _ desktop: MutterDesktop, loop: EventLoop, program: String, kept: StateFile, kernelDirectory: String,
    note: @escaping (Message) -> Void
  ) {
    self.desktop = desktop
    self.program = SettingsProgram(program, loop: loop)
    let states = ["enabled", "disabled-on-external-mouse"]
    self.kept = StateTable(kept, value: { states.contains($0) ? $0 : nil }, word: \.self)
    self.kernelDirectory = kernelDirectory
    self.note = note
  }

  /// - Returns: whether the devices include a touchpad.
  func disable(_ devices: DisabledInput?) -> Bool {
    isWanted = devices.map(includesTouchpad) ?? false
    update()
    return isWanted || devices == nil
  }

  private func includesTouchpad(_ devices: DisabledInput) -> Bool {
    KernelInput.all(in: kernelDirectory).contains { $0.isTouchpad && devices.includes([$0.name], [$0]) }
  }

  /// Called last, when the loop will not run again.
  func stop() {
    isWanted = false
    program.cancel()
    guard let before = kept[Self.touchpad] else { return }
    if program.readAndWait(["set"] + key + [before]) != nil { kept.forget(Self.touchpad) }
  }

  private var key: [String] { [desktop.touchpadSchema, "send-events"] }

  /// Disables or enables the touchpads as wanted. At the start, it enables what a killed daemon left disabled.
  func update() {
    let isKept = kept[Self.touchpad] != nil
    // After a failure the value is kept, too, if the touchpad may be disabled all the same.
    guard target == nil, isWanted ? hasFailed || !isKept : isKept else { return }
    target = isWanted
    if isWanted { switchOff() } else { set(kept[Self.touchpad] ?? "enabled", keptIf: false) }
  }

  private func switchOff() {
    program.run(["get"] + key) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .failure(let failure): finish(failure)
      case .success(let text):
        let before = text.filter { $0 != "'" }
        // The user has disabled it already.
        guard before != Self.disabled else { return finish(nil) }
        try? kept.keep(before, for: Self.touchpad)
        set(Self.disabled, keptIf: true)
      }
    }
  }

  /// - Parameter success: whether the previous value has to be kept after a success.
  private func set(_ word: String, keptIf success: Bool) {
    program.run(["set"] + key + [word]) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success:
        if !success { kept.forget(Self.touchpad) }
        finish(nil)
      case .failure(let failure):
        // Set or not, it has to be restored.
        if success, failure.code != .displaySilent { kept.forget(Self.touchpad) }
        finish(failure)
      }
    }
  }

  private func finish(_ failure: Message?) {
    hasFailed = failure != nil
    let isOutdated = target != isWanted
    target = nil
    if isOutdated { update() }
    guard let failure, !hasComplained else { return }
    hasComplained = true
    note(
      Message(.inputNotDisabled, "\(desktop.name)'s touchpad cannot be switched in tablet mode (\(failure))"))
  }
}
