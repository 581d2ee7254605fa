// SPDX-License-Identifier: MIT

// Checks that a desktop with its own rotation does rotate the screen.
extension Autorotator {
  /// Whether to keep the sensor awake only to check the desktop. Not while anything may rightly stop the rotation: many
  /// desktops rotate only when folded, and do not know a posture set by the user.
  func mayCheckDesktop(at now: Instant) -> Bool {
    guard let reason = desktop.rotationReason, locking.lock == nil, choice.paused == nil else { return false }
    return posture.isTreatedAsTablet && !postureResolver.isAnySwitchOff
      && desktop.check.needsWatching(reason, at: now)
  }

  mutating func checkDesktop(_ decision: Decision, at now: Instant, _ actions: inout [Action]) {
    let isWatched = desktop.rotationReason != nil && sensor.demand != .off
    desktop.check.watch(isWatched, at: now)
    guard desktop.check.update(isWatched ? ignoredOrientation(decision) : nil, at: now) else { return }
    actions.append(.askDesktop)
  }

  private func ignoredOrientation(_ decision: Decision) -> InterfaceOrientation? {
    guard let upright = InterfaceOrientation(device), upright != displays.shown,
      decision.orientation == upright
    else {
      return nil
    }
    return upright
  }

  mutating func desktopAnswered(isIntentional: Bool, _ actions: inout [Action]) {
    guard let ignored = desktop.check.receiveAnswer(isIntentional: isIntentional),
      let reason = desktop.rotationReason,
      ignored == ignoredOrientation(decision)
    else {
      return
    }
    let seconds = DesktopRotationCheck.askDelay.components.seconds
    let finding = Message(
      .desktopNotRotating,
      "The device orientation has been \(device.name(on: naturalAspect)) for \(seconds) s, "
        + "but the screen stays \(displays.shown.name(on: naturalAspect)), "
        + "although the desktop should rotate it (\(reason.what))",
      next: reason.next ?? "see whether the desktop's own rotation is switched on")
    desktop.check.findings[reason] = finding
    actions.append(.report(finding, of: .desktopNotRotating))
  }

  var notRotatingReasons: [Reason] {
    desktop.rotationReason.flatMap { desktop.check.findings[$0] }.map { [.desktopNotRotating($0)] } ?? []
  }
}
