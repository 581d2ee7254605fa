// SPDX-License-Identifier: MIT

/// Every setting of the decision, with its default.
package struct Settings: Equatable, Sendable {
  package enum RotateIn: String, CaseIterable, Sendable {
    case always, tablet
  }

  /// What the desktop may show at all.
  package var supported: [OrientationWord] = [.all]
  /// In which posture the device turns the picture.
  package var rotateIn = RotateIn.always
  /// What is shown in laptop posture with `rotateIn` = tablet.
  package var laptopOrientation = InterfaceOrientation.normal
  /// Whether the device turns the picture while a monitor is attached, too.
  package var rotatesWithExternal = true
  /// The outputs to turn.
  package var output = OutputChoice()
  /// How the panel is built in; `nil` for what the display system says.
  package var panelMount: PanelMount?
  /// Whether a lock holds even against an application that cannot show it.
  package var lockOverApps = false
  /// What becomes of the lock in tablet posture.
  package var tabletLock = PostureLock.keep
  /// The same in a tent; `nil` for that of a tablet.
  package var tentLock: PostureLock?
  /// The same on a stand.
  package var standLock: PostureLock?
  /// The same in laptop posture.
  package var laptopLock = PostureLock.keep
  /// The same in a dock.
  package var dockedLock = PostureLock.keep
  /// Whether to offer a turn while locked. Keeps the sensor awake.
  package var suggestsWhileLocked = false
  /// Which device tells of folding.
  package var tabletSwitch = TabletSwitchChoice.automatic
  /// The name of the keyboard or cover without which the device is a tablet; `nil` for none.
  package var keyboard: String?
  /// Whether something besides the decision depends on the posture.
  package var watchesPosture = false
  /// Whether it tells tent and stand from a tablet.
  package var watchesShape = false
  package var rules: [ApplicationRule] = []
  /// What is wrong with the files they were read from, a sentence each.
  package var faults: [String] = []

  package init() {}
}
