// SPDX-License-Identifier: MIT

// The desktop that turns the picture by itself, and may not.
extension Autorotator {
  /// Whether the device is watched only to see what the desktop makes of it. Not where anything could hold the picture
  /// rightly: many desktops turn only what is folded, and a posture that is said by hand is unknown to them.
  func mayDoubtDesktop(at now: Instant) -> Bool {
    guard let reason = desktop.rotates, locking.lock == nil, choice.paused == nil else { return false }
    return posture.countsAsTablet && !postureJudge.isAnySwitchOff
      && desktop.doubt.wantsWatching(reason, at: now)
  }

  mutating func watchDesktop(_ decision: Decision, at now: Instant, _ actions: inout [Action]) {
    let isWatched = desktop.rotates != nil && sensor.demand != .off
    desktop.doubt.watch(isWatched, at: now)
    guard desktop.doubt.note(isWatched ? heldInVain(decision) : nil, at: now) else { return }
    actions.append(.askDesktop)
  }

  private func heldInVain(_ decision: Decision) -> InterfaceOrientation? {
    guard let held = InterfaceOrientation(device), held != displays.shown, decision.orientation == held else {
      return nil
    }
    return held
  }

  mutating func desktopAnswered(staysOnPurpose: Bool, _ actions: inout [Action]) {
    guard let held = desktop.doubt.answered(staysOnPurpose: staysOnPurpose), let reason = desktop.rotates,
      held == heldInVain(decision)
    else {
      return
    }
    let seconds = DesktopDoubt.patience.components.seconds
    let finding = Message(
      .desktopIdle,
      "The device has been held \(device.rawValue) for \(seconds) s and the picture stays \(displays.shown.word), although "
        + "it is left to the desktop (\(reason.what))",
      next: reason.next ?? "see whether the desktop's own rotation is switched on")
    desktop.doubt.find(finding, on: reason)
    actions.append(.report(finding, of: .desktopIdle))
  }

  var doubtReasons: [Reason] {
    desktop.rotates.flatMap { desktop.doubt.finding(on: $0) }.map { [.desktopIdle($0)] } ?? []
  }
}
