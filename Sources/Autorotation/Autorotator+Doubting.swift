// SPDX-License-Identifier: MIT

// The desktop that turns the picture by itself, and may not.
extension Autorotator {
  /// Whether the device is watched only to see what the desktop makes of it. Not where anything could hold the picture
  /// rightly: many desktops turn only what is folded, and a posture that is said by hand is unknown to them.
  func mayDoubtDesktop(at now: Instant) -> Bool {
    guard let desktopTurns, lock == nil, hold == nil else { return false }
    return posture.countsAsTablet && !postureJudge.isAnySwitchOff
      && doubt.wantsWatching(desktopTurns, at: now)
  }

  mutating func watchDesktop(at now: Instant, _ actions: inout [Action]) {
    let isWatched = desktopTurns != nil && demand != .off
    doubt.watch(isWatched, at: now)
    guard doubt.note(isWatched ? heldInVain : nil, at: now) else { return }
    actions.append(.askDesktop)
  }

  private var heldInVain: InterfaceOrientation? {
    guard let held = InterfaceOrientation(device), held != shown, decision.orientation == held else {
      return nil
    }
    return held
  }

  mutating func desktopAnswered(staysOnPurpose: Bool, _ actions: inout [Action]) {
    guard let held = doubt.answered(staysOnPurpose: staysOnPurpose), let desktopTurns, held == heldInVain
    else {
      return
    }
    let seconds = DesktopDoubt.patience.components.seconds
    let finding = Message(
      .desktopIdle,
      "The device has been held \(device.rawValue) for \(seconds) s and the picture stays \(shown.word), although "
        + "it is left to the desktop (\(desktopTurns.what))",
      next: desktopTurns.next ?? "see whether the desktop's own rotation is switched on")
    doubt.find(finding, on: desktopTurns)
    actions.append(.report(finding, of: .desktopIdle))
  }

  var doubtReasons: [Reason] {
    desktopTurns.flatMap { doubt.finding(on: $0) }.map { [.desktopIdle($0)] } ?? []
  }
}
