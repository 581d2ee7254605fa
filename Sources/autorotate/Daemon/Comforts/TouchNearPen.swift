// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Language
import SensorSources
import System

/// Who tells that a pen is near: the display system where it can, else the kernel; and who is told that touch is to be
/// off meanwhile.
@MainActor final class TouchNearPen {
  private let loop: EventLoop
  private let backend: any DesktopBackend
  private let note: (Message) -> Void
  private let report: (Event) -> Void
  /// How pens are told where the display system does not.
  private var pens: PenSource?
  private var settings = DisplaySettings()
  private var hasNotedUnable = false

  /// - Parameter report: is told when pens come and leave, where the backend does not tell it.
  init(
    loop: EventLoop, backend: any DesktopBackend, note: @escaping (Message) -> Void = Console.complain,
    report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.backend = backend
    self.note = note
    self.report = report
  }

  /// Whether it is wanted, and which devices count.
  func use(_ settings: DisplaySettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    listen(to: nil)
    follow()
  }

  /// To be called when the display system may have become known.
  func follow() {
    guard settings.watchesPens, let ability = backend.touchSwitching else { return }
    switch ability {
    case .nothing: complain()
    case .switchesAndTells: break
    case .switches: if pens == nil { listenToKernel() }
    }
  }

  func switchTouch(isOn: Bool) {
    backend.switchTouch(isOn: isOn)
  }

  /// The backend switches touch on by itself.
  func stop() {
    listen(to: nil)
  }

  private func listenToKernel() {
    let source = PenSource(loop: loop, notice: note) { [settings] name in
      settings.includes(name, onPanel: true)
    }
    listen(to: source)
    source.start(report)
  }

  private func listen(to source: PenSource?) {
    pens?.stop()
    pens = source
  }

  private func complain() {
    guard !hasNotedUnable else { return }
    hasNotedUnable = true
    note(.touchCannotBeSwitched(by: backend.name))
  }
}

extension Message {
  static func touchCannotBeSwitched(by desktop: String) -> Self {
    Self(
      .touchNotSwitched, "\(desktop) offers no way to switch touch off while a pen is near",
      next: "take off-near-pen out of the [touch] settings")
  }
}
