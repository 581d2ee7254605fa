// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Whether the desktop or autorotate rotates the screen.
///
/// GNOME does while the device is used as a tablet, has iio-sensor-proxy with an accelerometer and a built-in panel
/// (`PanelOrientationManaged`), and its orientation lock is off. While that is on, neither rotates. Where GNOME reports
/// that it manages the panel but does nothing (`StalledRotation`), autorotate does while the lock is off. Cinnamon counts as
/// managing it while autorotate takes over; otherwise `ShellRotation` reports what its lock does.
final class OwnRotation {
  private let desktop: MutterDesktop
  /// The desktop's orientation lock, which stops its own rotation: on while autorotate takes over.
  private let lock: HeldSetting
  private let note: (Message) -> Void
  private let report: (Message?) -> Void
  private var reported: Message? { didSet { if reported != oldValue { report(reported) } } }
  private var hasReportedStall = false
  /// Whether the user has switched off the lock that autorotate set, and so has returned the rotation to the desktop.
  private var isReturned = false
  /// Each reading runs a program, and any program may change settings without pause.
  private lazy var readLock = CoalescedReader { [weak self] in self?.readLock(then: $0) }

  /// Whether the desktop manages the panel's orientation; `nil` until that is known. Nothing happens before.
  var isManaged: Bool? { didSet { if isManaged != oldValue { update() } } }
  /// Whether it only reports so, and does nothing; `nil` as for `isManaged`.
  var isStalled: Bool? { didSet { if isStalled != oldValue { update() } } }
  /// Whether the settings let autorotate take over.
  var takesOver: Bool {
    didSet {
      guard takesOver != oldValue else { return }
      // Cinnamon still rotates: `ShellRotation` has reported that, and would not repeat it.
      let isStillReported = isReturned && desktop.kind == .cinnamon
      isReturned = false
      if !isStillReported { update() }
    }
  }

  /// - Parameter report: receives why the desktop rotates the screen, as in `desktopRotates`.
  init(
    _ desktop: MutterDesktop, _ lock: HeldSetting, takesOver: Bool, note: @escaping (Message) -> Void,
    report: @escaping (Message?) -> Void
  ) {
    self.desktop = desktop
    self.lock = lock
    self.takesOver = takesOver
    self.note = note
    self.report = report
  }

  /// Restores the desktop's own rotation, if it was switched off here.
  func stop() {
    lock.releaseAndWait()
  }

  /// - Parameter completion: receives whether the desktop's orientation lock is on, as far as is known.
  func askForLock(_ completion: @escaping (Bool) -> Void) { lock.read { completion($0 != "false") } }

  func settingsChanged() { readLock() }

  private func readLock(then finish: @escaping () -> Void) {
    guard isKnown, followsLock || takesOver && (lock.isHeld || isReturned) else { return finish() }
    lock.read { [weak self] value in
      let isOn = value.flatMap { Bool($0) }
      if let self { followsLock ? follow(isOn) : lockWasRead(isOn) }
      finish()
    }
  }

  private var isKnown: Bool { isManaged != nil && isStalled != nil }

  /// Muffin has no property for that.
  private var managesOrientation: Bool { desktop.kind == .gnome ? isManaged == true : takesOver }

  /// Cinnamon's lock is followed by `ShellRotation`.
  private var followsLock: Bool { !takesOver && managesOrientation }

  private func follow(_ isOn: Bool?) {
    guard isOn != true else { return reported = MutterDesktop.lockedRotation }
    guard isStalled == true else { return reported = desktop.rotationAdvice }
    if !hasReportedStall {
      hasReportedStall = true
      note(StalledRotation.message)
    }
    reported = nil
  }

  private func lockWasRead(_ isOn: Bool?) {
    guard takesOver else { return }
    switch isOn {
    case false where lock.isHeld:
      lock.wasChanged()
      isReturned = true
    case true where isReturned: isReturned = false
    default: return
    }
    update()
  }

  private func update() {
    guard isKnown else { return }
    if isReturned { return reported = managesOrientation ? desktop.returnedRotation : nil }
    guard managesOrientation, takesOver else {
      // A take-over lasts while the device is used as a laptop for a moment.
      if !takesOver || !lock.isHeld { restore() }
      guard followsLock else { return reported = nil }
      // GNOME rotates while its lock is being read.
      if isStalled != true, reported != MutterDesktop.lockedRotation { reported = desktop.rotationAdvice }
      return readLock()
    }
    if !lock.isHeld {
      reported = Message(.desktopRotates, "\(desktop.name)'s own rotation is being switched off.")
    }
    lock.acquire { [weak self] in self?.acquisitionCompleted($0) }
  }

  private func restore() {
    lock.release { [desktop, note] in
      guard let failure = $0 else { return }
      let what: Phrase = "\(desktop.name)'s own rotation could not be switched on again"
      note(Message(.desktopNotSwitched, "\(what): \(failure)"))
    }
  }

  private func acquisitionCompleted(_ failure: Phrase?) {
    guard managesOrientation, takesOver else { return }
    guard let failure else { return reported = nil }
    note(Message(.desktopNotSwitched, "\(desktop.name)'s own rotation could not be switched off: \(failure)"))
    reported = Message(
      .desktopRotates,
      "\(desktop.name) rotates the screen, and its rotation could not be switched off: \(failure)")
  }
}

nonisolated extension MutterDesktop {
  var rotationAdvice: Message {
    Message(
      .desktopRotates, "\(name) rotates the screen automatically",
      next: "to let autorotate do it: autorotate config set display.take-over true")
  }

  static let lockedRotation = Message(
    .desktopRotates, "GNOME's orientation lock is on",
    next: "switch it off in GNOME's quick settings, or run: autorotate config set display.take-over true")

  var returnedRotation: Message {
    Message(
      .desktopRotates,
      "\(name)'s orientation lock was switched off, so \(name) rotates the screen automatically again",
      next: "to let autorotate do it, switch the lock on")
  }
}

/// The version of the running GNOME Shell.
enum ShellVersion {
  nonisolated static let target = BusTarget(
    service: "org.gnome.Shell", path: "/org/gnome/Shell", interface: "org.gnome.Shell")

  /// - Parameter report: receives the version once it is known, and when the Shell comes or goes; `nil` without one.
  static func watch(on bus: Bus, _ report: @escaping (String?) -> Void) throws(BusError) -> Subscription {
    try bus.watchName(target.service) { owner in
      guard owner != nil else { return report(nil) }
      let arguments = [Value.string(target.interface), .string("ShellVersion")]
      // A Shell that has just started may be busy for long.
      bus.ask(target.properties, "Get", arguments, timeout: .forever) { report(try? $0.get().read(0)) }
    }
  }

  /// "49.4", "50.beta"
  nonisolated static func major(_ version: String?) -> Int? {
    version.flatMap { Int($0.prefix { $0.isNumber }) }
  }
}

/// Mutter 49 and 50 report that they manage the panel's orientation, but never request the sensor where no
/// tablet-mode switch exists: their inhibit count is one too low (mutter#4931; fixed in 51).
nonisolated enum StalledRotation {
  private static let versions = 49...50

  /// - Parameters:
  ///   - version: of GNOME Shell, the same as Mutter's.
  ///   - inputs: all input devices; read only if the version may be affected.
  static func occurs(in version: String?, _ inputs: @autoclosure () -> [KernelInput]) -> Bool {
    ShellVersion.major(version).map(versions.contains) == true && !inputs().contains { $0.isTabletSwitch }
  }

  static let message = Message(
    .desktopYields,
    "GNOME reports that it rotates the screen, but this version never reads the sensor without a tablet-mode switch, "
      + "so autorotate rotates it",
    next: "GNOME 51 rotates it automatically again")
}
