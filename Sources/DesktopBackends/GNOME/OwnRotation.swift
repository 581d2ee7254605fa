// SPDX-License-Identifier: MIT

import Autorotation

/// Who turns the picture: GNOME by itself, or we.
///
/// GNOME does while the device is used as a tablet, has iio-sensor-proxy with an accelerometer and a built-in
/// panel (`PanelOrientationManaged`), and its orientation lock is off. Where it says so and does nothing
/// (`SleepingRotation`) we do, and its lock is the person's word all the same.
final class OwnRotation {
  private let lock: OrientationLock
  private let note: (Message) -> Void
  private let report: (Message?) -> Void
  private var reported: Message?
  private var isStarted = false
  private var hasToldOfSleep = false
  /// Whether the person has switched the lock off that we took over with, and so has given the picture back.
  private var isGivenBack = false

  /// Whether GNOME takes care of the panel's orientation.
  var isManaged = false { didSet { if isManaged != oldValue { settle() } } }
  /// Whether GNOME only says so.
  var isAsleep = false { didSet { if isAsleep != oldValue { settle() } } }
  /// Whether the person has left it to us.
  var takesOver: Bool {
    didSet {
      guard takesOver != oldValue else { return }
      isGivenBack = false
      settle()
    }
  }

  static let advice = Message(
    .desktopTurns, "GNOME turns the picture by itself",
    next: "to leave it to autorotate, set `take-over = true` in the [display] settings")

  static let givenBack = Message(
    .desktopTurns,
    "GNOME's orientation lock was switched off, so that GNOME turns the picture by itself again",
    next: "to leave it to autorotate, switch the lock on")

  /// - Parameters:
  ///   - note: takes what the person is told.
  ///   - report: takes who turns the picture, as `desktopTurns` does.
  init(
    _ lock: OrientationLock, takesOver: Bool, note: @escaping (Message) -> Void,
    report: @escaping (Message?) -> Void
  ) {
    self.lock = lock
    self.takesOver = takesOver
    self.note = note
    self.report = report
  }

  /// To be called when it is known whether it is managed.
  func start() {
    guard !isStarted else { return }
    isStarted = true
    settle()
  }

  /// Puts GNOME's own rotation back, if it was switched off here.
  func stop() {
    lock.releaseAndWait()
  }

  /// - Parameter completion: takes whether GNOME's orientation lock holds the picture, as far as is known.
  func askForLock(_ completion: @escaping (Bool) -> Void) {
    lock.read { completion($0 ?? true) }
  }

  /// To be called when GNOME's settings may have become others.
  func settingsChanged() {
    guard isStarted else { return }
    if !takesOver, isManaged, isAsleep { return obeyLock() }
    guard takesOver, lock.isHeld || isGivenBack else { return }
    lock.read { [weak self] in self?.found($0) }
  }

  private func obeyLock() {
    lock.read { [weak self] isOn in
      guard let self, isStarted, !takesOver, isManaged, isAsleep else { return }
      if isOn != true, !hasToldOfSleep {
        hasToldOfSleep = true
        note(SleepingRotation.message)
      }
      show(isOn == true ? SleepingRotation.locked : nil)
    }
  }

  private func found(_ isOn: Bool?) {
    guard takesOver else { return }
    switch isOn {
    case false where lock.isHeld:
      lock.wasSwitchedOff()
      isGivenBack = true
    case true where isGivenBack: isGivenBack = false
    default: return
    }
    settle()
  }

  private func settle() {
    guard isStarted else { return }
    if isGivenBack { return show(isManaged ? Self.givenBack : nil) }
    guard isManaged, takesOver else {
      // While it is taken over it stays so when the device is a laptop for a moment.
      if !takesOver || !lock.isHeld { putBack() }
      return isManaged && isAsleep ? obeyLock() : show(isManaged ? Self.advice : nil)
    }
    if !lock.isHeld { show(Message(.desktopTurns, "GNOME's own rotation is being switched off.")) }
    lock.hold { [weak self] in self?.answered($0) }
  }

  private func putBack() {
    lock.release { [weak self] in
      if let failure = $0 {
        self?.note(
          Message(.desktopNotSwitched, "GNOME's own rotation could not be switched on again: \(failure)"))
      }
    }
  }

  private func answered(_ failure: Phrase?) {
    guard isManaged, takesOver else { return }
    guard let failure else { return show(nil) }
    note(Message(.desktopNotSwitched, "GNOME's own rotation could not be switched off: \(failure)"))
    show(
      Message(
        .desktopTurns,
        "GNOME turns the picture by itself, and its rotation could not be switched off: \(failure)"))
  }

  private func show(_ who: Message?) {
    guard who != reported else { return }
    reported = who
    report(who)
  }
}
