// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Language
import System

/// What else happens while the device is a tablet: the keyboard behind the screen is disabled, and an on-screen one
/// runs. Only a known posture counts, so that nobody loses the keyboard to a guess.
@MainActor final class Comforts {
  private let backend: any DesktopBackend
  private let note: (String) -> Void
  private let keyboard: OnScreenKeyboard
  private var settings = TabletSettings()
  private var posture = Posture.unknown
  private var disabled: DisabledInput?
  private var hasNotedUnable = false

  init(loop: EventLoop, backend: any DesktopBackend, note: @escaping (String) -> Void = Console.complain)
    throws
  {
    self.backend = backend
    self.note = note
    keyboard = try OnScreenKeyboard(loop: loop, note: note)
  }

  /// Ends what a killed daemon left running. To be called before anything is used.
  func start() {
    keyboard.endWhatWasLeft()
  }

  func use(_ settings: TabletSettings) {
    self.settings = settings
    follow()
  }

  func use(_ posture: Posture) {
    guard posture != self.posture else { return }
    self.posture = posture
    follow()
  }

  /// The backend enables by itself what it disabled.
  func stop() {
    keyboard.stop()
  }

  private func follow() {
    let isTablet = posture.isTablet
    keyboard.command = isTablet ? settings.onScreenKeyboard : []
    disable(isTablet ? settings.disabledInput : nil)
  }

  private func disable(_ devices: DisabledInput?) {
    guard devices != disabled else { return }
    disabled = devices
    guard !backend.disable(devices), devices != nil, !hasNotedUnable else { return }
    hasNotedUnable = true
    note(
      localized(
        "\(backend.name) offers no way to disable keyboard and touchpad in tablet posture: it may do so by itself; "
          + "else take disable-input out of the [tablet] settings"))
  }
}

/// What a person wants while the device is a tablet.
struct TabletSettings: Equatable {
  /// `nil` to leave all input devices on.
  var disabledInput: DisabledInput?
  /// A program and its arguments; empty for none.
  var onScreenKeyboard: [String] = []

  var isNothing: Bool { self == TabletSettings() }
}

extension Configuration {
  var tabletSettings: TabletSettings {
    TabletSettings(
      disabledInput: machine.disablesInput ? DisabledInput(names: machine.disabledDevices) : nil,
      onScreenKeyboard: machine.onScreenKeyboard)
  }
}
