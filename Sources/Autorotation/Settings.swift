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
  /// What happens to the lock in tablet posture.
  package var tabletLock = PostureLock.keep
  /// The same in a tent; `nil` for that of a tablet.
  package var tentLock: PostureLock?
  /// The same on a stand.
  package var standLock: PostureLock?
  /// The same in laptop posture.
  package var laptopLock = PostureLock.keep
  /// The same in a dock.
  package var dockedLock = PostureLock.keep
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
  package var faults: [String] = []

  package init() {}
}
