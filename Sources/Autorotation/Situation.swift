// SPDX-License-Identifier: MIT

/// How the picture should stand, and why.
package struct Decision: Equatable, Sendable {
  package var orientation: InterfaceOrientation
  package var allowed: OrientationMask
  package var reasons: [Reason]
}

/// All that the decision depends on. `decide()` is the policy; it has no memory of its own.
///
/// The model is UIKit's: masks are intersected level by level, and the device chooses within the result, which
/// need not contain how it is held. UIKit throws when the result is empty; here the applications give way,
/// requests first, because the person's settings come before theirs.
package struct Situation: Equatable, Sendable {
  /// A rule that applies to the application in focus.
  package struct FocusedRule: Equatable, Sendable {
    package var application: String
    package var rule: ApplicationRule

    package init(application: String, rule: ApplicationRule) {
      self.application = application
      self.rule = rule
    }
  }

  package var naturalAspect = PanelAspect.landscape
  package var supported: [OrientationWord] = [.all]
  package var lockOverApps = false
  package var focused: FocusedRule?
  /// The rule that would be `focused` if the application played.
  package var awaitingPlay: FocusedRule?
  package var requests: [OrientationRequest] = []
  /// Those that do not hold now, since their applications have no focus.
  package var requestsBehind: [OrientationRequest] = []
  package var lock: Lock?
  /// The orientation that is kept while auto-rotation is on hold.
  package var hold: InterfaceOrientation?
  /// What the person asked for by hand, until the device turns.
  package var asked: InterfaceOrientation?
  /// What is shown instead if the posture means that the sensor is to be ignored.
  package var laptopOrientation: InterfaceOrientation?
  /// The monitor that is attached, where that is to stop the device from turning the picture.
  package var external: String?
  package var posture = Posture.unknown
  package var device = DeviceOrientation.unknown
  /// What was shown last that no application caused: what "keep" means.
  package var baseline = InterfaceOrientation.normal
  package var shown = InterfaceOrientation.normal

  package init() {}

  package func decide() -> Decision {
    var reasons: [Reason] = []
    let allowed = allowedMask(&reasons)
    let wanted = wantedOrientation(allowed, &reasons)
    let orientation = nearest(to: wanted, in: allowed, &reasons)
    return Decision(orientation: orientation, allowed: allowed, reasons: reasons)
  }

  /// Desktop ∩ application ∩ requests; a mask that would leave nothing gives way.
  private func allowedMask(_ reasons: inout [Reason]) -> OrientationMask {
    let desktop = supported.mask(on: naturalAspect)
    var allowed = desktop.isEmpty ? .all : desktop
    if allowed != .all {
      reasons.append(.desktopAllows(allowed))
    }
    if lock != nil, lockOverApps {
      if focused != nil || !requests.isEmpty { reasons.append(.lockWinsOverApplications) }
      return allowed
    }
    allowed = narrow(allowed, byRuleWith: &reasons)
    return narrow(allowed, byRequestsWith: &reasons)
  }

  /// How many requests are named in the reasons, which are for people.
  private static let namedRequests = 3

  private func narrow(
    _ allowed: OrientationMask, byRequestsWith reasons: inout [Reason]
  ) -> OrientationMask {
    var left = allowed
    for (index, request) in requests.enumerated() {
      let mask = request.mask.mask(on: naturalAspect)
      let common = left.intersection(mask)
      if index < Self.namedRequests {
        reasons.append(common.isEmpty ? .requestGivesWay(request) : .requestAllows(mask, request))
      }
      if !common.isEmpty { left = common }
    }
    let others = requests.count - Self.namedRequests
    if others > 0 { reasons.append(.moreRequests(others)) }
    reasons += requestsBehind.prefix(Self.namedRequests).map(Reason.requestAwaitsFocus)
    return left
  }

  private func narrow(_ allowed: OrientationMask, byRuleWith reasons: inout [Reason]) -> OrientationMask {
    noteWhetherItPlays(&reasons)
    guard let focused, let words = focused.rule.supported else { return allowed }
    let mask = words.mask(on: naturalAspect)
    let common = allowed.intersection(mask)
    guard !common.isEmpty else {
      reasons.append(.ruleGivesWay(application: focused.application, source: focused.rule.source))
      return allowed
    }
    reasons.append(.ruleAllows(mask, application: focused.application, source: focused.rule.source))
    return common
  }

  private func noteWhetherItPlays(_ reasons: inout [Reason]) {
    if let focused, focused.rule.playing == true {
      reasons.append(.applicationPlays(application: focused.application, source: focused.rule.source))
    } else if let awaitingPlay {
      reasons.append(
        .ruleAwaitsPlay(application: awaitingPlay.application, source: awaitingPlay.rule.source))
    }
  }

  private func wantedOrientation(
    _ allowed: OrientationMask, _ reasons: inout [Reason]
  ) -> InterfaceOrientation {
    let (orientation, reason) = wanted
    // Where there is no choice the sensor sleeps, so its silence explains nothing.
    if reason == .deviceKeeps(.unknown), let only = allowed.orientations.first,
      allowed == OrientationMask(only)
    {
      reasons.append(.onlyOneAllowed(only))
      return only
    }
    reasons.append(reason)
    return orientation
  }

  private var wanted: (InterfaceOrientation, Reason) {
    if let lock {
      let inPosture = lock.posture.map { Reason.lockedInPosture(lock.orientation, $0) }
      return (lock.orientation, inPosture ?? .locked(lock.orientation, lock.end))
    }
    if let hold {
      return (hold, .onHold(hold))
    }
    if let asked {
      return (asked, .asked(asked))
    }
    if let focused, !focused.rule.autoRotate {
      let reason = Reason.applicationPausesRotation(
        application: focused.application, source: focused.rule.source)
      return (shown, reason)
    }
    if let laptopOrientation {
      return (laptopOrientation, .notInTabletPosture(posture, laptopOrientation))
    }
    if let external {
      return (baseline, .externalAttached(external, baseline))
    }
    if let held = InterfaceOrientation(device) {
      return (held, .deviceIs(device))
    }
    return (baseline, .deviceKeeps(device))
  }

  private func nearest(
    to wanted: InterfaceOrientation, in allowed: OrientationMask, _ reasons: inout [Reason]
  ) -> InterfaceOrientation {
    if allowed.contains(wanted) {
      return wanted
    }
    if allowed.contains(shown) {
      reasons.append(.notAllowedKeepsCurrent(wanted: wanted, shown: shown))
      return shown
    }
    if let preferred = focused?.rule.preferred, allowed.contains(preferred) {
      reasons.append(.notAllowedTakesPreferred(wanted: wanted, preferred: preferred))
      return preferred
    }
    let nearest = nearestToHowItIsHeld(in: allowed)
    reasons.append(.notAllowedTakesNearest(wanted: wanted, nearest: nearest))
    return nearest
  }

  /// Ties go to the one nearer natural, then to the earlier word.
  private func nearestToHowItIsHeld(in allowed: OrientationMask) -> InterfaceOrientation {
    let held = InterfaceOrientation(device) ?? baseline
    let distance = { (orientation: InterfaceOrientation) in
      (held.quarterTurns(to: orientation), InterfaceOrientation.normal.quarterTurns(to: orientation))
    }
    return allowed.orientations.min { distance($0) < distance($1) } ?? .normal
  }
}
