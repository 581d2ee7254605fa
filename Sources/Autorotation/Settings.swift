// SPDX-License-Identifier: MIT

/// The settings of the decision, with their defaults.
package struct Settings: Equatable, Sendable {
  package enum RotateIn: String, CaseIterable, Sendable {
    case always, tablet
  }

  /// The orientations that the settings allow.
  package var supported: [OrientationName] = [.all]
  /// The postures with auto-rotation.
  package var rotateIn = RotateIn.always
  /// The orientation in laptop posture with `rotateIn` = tablet.
  package var laptopOrientation = InterfaceOrientation.normal
  /// Whether auto-rotation is on while a monitor is connected.
  package var rotatesWithExternal = true
  /// The outputs to rotate.
  package var output = OutputChoice()
  /// The panel's mount; `nil` for the one that the display system reports.
  package var panelMount: PanelMount?
  /// Whether a lock overrides applications that need another orientation.
  package var lockOverApps = false
  /// What happens to the lock in each posture. A tent or a stand without a value has that of a tablet.
  package var locks: [Posture: PostureLock] = [.tablet: .keep, .laptop: .keep, .docked: .keep]
  /// Whether to suggest rotations while locked. Keeps the sensor awake.
  package var suggestsWhileLocked = false
  /// Which devices decide whether the device is folded.
  package var tabletSwitch = TabletSwitchChoice.automatic
  /// The name of the keyboard or cover without which the device is a tablet; `nil` for none.
  package var keyboard: String?
  /// Whether something besides the decision depends on the posture, such as a hook.
  package var watchesPosture = false
  /// Whether it distinguishes tent and stand from a tablet.
  package var watchesShape = false
  package var rules: [ApplicationRule] = []
  /// Errors in the files they were read from, a sentence each.
  package var faults: [Phrase] = []

  package init() {}
}

/// What happens to the lock when the device takes on a posture. The idea is Android's, which locks by device state.
package enum PostureLock: Equatable, Sendable {
  /// It is kept. A lock that a posture has set ends with that posture.
  case keep
  /// It is removed.
  case free
  /// The orientation shown then is locked.
  case locked
  /// The lock that the user left in this posture is restored.
  case remember
  case to(InterfaceOrientation)
}

extension Settings {
  /// The posture whose lock setting applies: that of tablet for a tent and a stand without their own.
  func lockPosture(of posture: Posture) -> Posture {
    posture.isTablet && locks[posture] == nil ? .tablet : posture
  }

  func lock(in posture: Posture) -> PostureLock { self[lockIn: lockPosture(of: posture)] }

  /// The value of a posture's own key.
  package subscript(lockIn posture: Posture) -> PostureLock {
    get { locks[posture] ?? .keep }
    set { locks[posture] = newValue }
  }

  /// Whether anything distinguishes tent and stand from a tablet.
  var needsTabletShape: Bool {
    watchesShape || locks[.tent] != nil || locks[.stand] != nil
      || rules.contains { $0.postures?.contains { $0 == .tent || $0 == .stand } ?? false }
  }
}

/// How the accelerometers are chosen and read, and the angle of the hinge is interpreted.
package struct AccelerometerSettings: Equatable, Sendable {
  /// The accelerometer of the display: its name, its label, or its name in the kernel, such as "iio:device1". `*` and
  /// `?` match any text and any character. `nil` for the one that the system reports in the display.
  package var device: String?
  /// Of the display's accelerometer; `nil` for that of the system.
  package var mountMatrix: MountMatrix?
  /// Of the accelerometer in the base; `nil` for that of the system.
  package var baseMountMatrix: MountMatrix?
  /// Samples per second while the device may be rotating, 4 to 100; `nil` for as many as the classifier needs.
  package var rate: Double?
  /// Whether a gyroscope that rotates with the accelerometer is also read.
  package var usesGyroscope = true
  /// Degrees of the hinge: up to the first the device is a laptop, from the second a tablet. The defaults are those of
  /// ChromeOS.
  package var hingeAngles = 160...200
  /// Whether the accelerometer of the base is read in place of the display's, to calibrate it.
  package var readsBase = false

  package init() {}

  package static let rates = 4.0...100.0
  /// Degrees. Beyond these, a hinge may be closed or folded back.
  package static let unambiguousHingeAngles = 20.0...340.0
}
