// SPDX-License-Identifier: MIT

import Autorotation

/// Whether GNOME or autorotate rotates the screen.
///
/// GNOME does while the device is used as a tablet, has iio-sensor-proxy with an accelerometer and a built-in panel
/// (`PanelOrientationManaged`), and its orientation lock is off. Where it reports that but does nothing
/// (`StalledRotation`), autorotate does, and still obeys GNOME's lock.
final class OwnRotation {
  private let lock: OrientationLock
  private let note: (Message) -> Void
  private let report: (Message?) -> Void
  private var reported: Message?
  private var isStarted = false
  private var hasReportedStall = false
  /// Whether the user has switched off the lock that autorotate set, and so has returned the rotation to GNOME.
  private var isReturnedToGNOME = false

  /// Whether GNOME manages the panel's orientation.
  var isManaged = false { didSet { if isManaged != oldValue { update() } } }
  /// Whether GNOME only reports so, and does nothing.
  var isStalled = false { didSet { if isStalled != oldValue { update() } } }
  /// Whether the settings let autorotate take over.
  var takesOver: Bool {
    didSet {
      guard takesOver != oldValue else { return }
      isReturnedToGNOME = false
      update()
    }
  }

  static let advice = Message(
    .desktopRotates, "GNOME rotates the screen automatically",
    next: "to let autorotate do it, set `take-over = true` in the [display] settings")

  static let returnedToGNOME = Message(
    .desktopRotates,
    "GNOME's orientation lock was switched off, so GNOME rotates the screen automatically again",
    next: "to let autorotate do it, switch the lock on")

  /// - Parameters:
  ///   - note: shows a message to the user.
  ///   - report: receives why GNOME rotates the screen, as in `desktopRotates`.
  init(
    _ lock: OrientationLock, takesOver: Bool, note: @escaping (Message) -> Void,
    report: @escaping (Message?) -> Void
  ) {
    self.lock = lock
    self.takesOver = takesOver
    self.note = note
    self.report = report
  }

  /// Called when it is known whether GNOME manages the orientation.
  func start() {
    guard !isStarted else { return }
    isStarted = true
    update()
  }

  /// Restores GNOME's own rotation, if it was switched off here.
  func stop() {
    lock.releaseAndWait()
  }

  /// - Parameter completion: receives whether GNOME's orientation lock is on, as far as is known.
  func askForLock(_ completion: @escaping (Bool) -> Void) {
    lock.read { completion($0 ?? true) }
  }

  /// Called when GNOME's settings may have changed.
  func settingsChanged() {
    guard isStarted else { return }
    if !takesOver, isManaged, isStalled { return followLock() }
    guard takesOver, lock.isHeld || isReturnedToGNOME else { return }
    lock.read { [weak self] in self?.lockWasRead($0) }
  }

  private func followLock() {
    lock.read { [weak self] isOn in
      guard let self, isStarted, !takesOver, isManaged, isStalled else { return }
      if isOn != true, !hasReportedStall {
        hasReportedStall = true
        note(StalledRotation.message)
      }
      publish(isOn == true ? StalledRotation.locked : nil)
    }
  }

  private func lockWasRead(_ isOn: Bool?) {
    guard takesOver else { return }
    switch isOn {
    case false where lock.isHeld:
      lock.wasSwitchedOff()
      isReturnedToGNOME = true
    case true where isReturnedToGNOME: isReturnedToGNOME = false
    default: return
    }
    update()
  }

  private func update() {
    guard isStarted else { return }
    if isReturnedToGNOME { return publish(isManaged ? Self.returnedToGNOME : nil) }
    guard isManaged, takesOver else {
      // A take-over lasts while the device is used as a laptop for a moment.
      if !takesOver || !lock.isHeld { restore() }
      return isManaged && isStalled ? followLock() : publish(isManaged ? Self.advice : nil)
    }
    if !lock.isHeld { publish(Message(.desktopRotates, "GNOME's own rotation is being switched off.")) }
    lock.hold { [weak self] in self?.holdCompleted($0) }
  }

  private func restore() {
    lock.release { [weak self] in
      if let failure = $0 {
        self?.note(
          Message(.desktopNotSwitched, "GNOME's own rotation could not be switched on again: \(failure)"))
      }
    }
  }

  private func holdCompleted(_ failure: Phrase?) {
    guard isManaged, takesOver else { return }
    guard let failure else { return publish(nil) }
    note(Message(.desktopNotSwitched, "GNOME's own rotation could not be switched off: \(failure)"))
    publish(
      Message(
        .desktopRotates,
        "GNOME rotates the screen, and its rotation could not be switched off: \(failure)"))
  }

  private func publish(_ message: Message?) {
    guard message != reported else { return }
    reported = message
    report(message)
  }
}
