// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Language
import System

/// Disables the keyboard behind the screen and runs an on-screen one in tablet mode. Only a known posture has this
/// effect, so that no user loses the keyboard because of a guess.
@MainActor final class TabletFeatures {
  /// `nil` until there is a display.
  var backend: (any DesktopBackend)? { didSet { if disabled != nil { disableInput() } } }
  private let note: (String) -> Void
  private let keyboard: OnScreenKeyboard
  var settings = MachineSettings() { didSet { follow() } }
  var posture = Posture.unknown { didSet { follow() } }
  private var disabled: DisabledInput? { didSet { if disabled != oldValue { disableInput() } } }
  private var hasReportedFailure = false

  init(loop: EventLoop, note: @escaping (String) -> Void = Console.log) throws {
    self.note = note
    keyboard = try OnScreenKeyboard(loop: loop, note: note)
  }

  /// The backend enables the input devices again when it stops.
  func stop() { keyboard.stop() }

  private func follow() {
    let isTablet = posture.isTablet
    keyboard.command = isTablet ? settings.onScreenKeyboard : []
    disabled = isTablet ? settings.disabledInput : nil
  }

  private func disableInput() {
    guard let backend, !backend.disable(disabled), disabled != nil, !hasReportedFailure else { return }
    hasReportedFailure = true
    note(
      localized(
        "\(backend.name) offers no way to disable keyboard and touchpad in tablet mode. If it does not do so itself, "
          + "remove disable-input from the [tablet] settings"))
  }
}

extension MachineSettings {
  /// `nil` to leave all input devices on.
  fileprivate var disabledInput: DisabledInput? {
    disablesInput ? DisabledInput(names: disabledDevices) : nil
  }

  /// Whether anything is to change in tablet mode.
  var hasTabletFeatures: Bool { disablesInput || !onScreenKeyboard.isEmpty }
}
