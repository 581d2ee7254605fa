// SPDX-License-Identifier: MIT

/// The screen orientation that is wanted, and why.
package struct Decision: Equatable, Sendable {
  package var orientation: InterfaceOrientation
  package var allowed: OrientationMask
  package var reasons: [Reason]
}

/// The input of the decision. `decide()` is the policy; it has no memory of its own.
///
/// The model is UIKit's: masks are intersected level by level, and the device orientation is used if it is in the
/// result. UIKit throws when the result is empty; here the applications are ignored, requests first, because the user's
/// settings have priority.
package struct Situation: Equatable, Sendable {
  /// A rule that applies to the application in focus.
  package struct FocusedRule: Equatable, Sendable {
    package var application: String
    package var rule: ApplicationRule
  }

  package var naturalAspect = PanelAspect.landscape
  package var supported: [OrientationName] = [.all]
  package var lockOverApps = false
  package var focused: FocusedRule?
  /// The rule that would be `focused` if the application in focus were playing media.
  package var awaitingPlay: FocusedRule?
  package var requests: [OrientationRequest] = []
  /// Those of `requests` that are for the application in focus.
  package var ownRequests: [OrientationRequest] = []
  /// Requests that do not apply now, since their applications have no focus.
  package var inactiveRequests: [OrientationRequest] = []
  package var lock: Lock?
  /// The orientation that is kept while auto-rotation is paused.
  package var paused: InterfaceOrientation?
  /// The orientation that the user asked for; it is kept until the device is rotated.
  package var asked: InterfaceOrientation?
  /// The orientation in a posture in which the sensor is ignored.
  package var laptopOrientation: InterfaceOrientation?
  /// The connected monitor, if it pauses auto-rotation.
  package var external: String?
  package var posture = Posture.unknown
  package var device = DeviceOrientation.unknown
  /// The last orientation that no rule or request caused; "keep" means this one.
  package var baseline = InterfaceOrientation.normal
  package var shown = InterfaceOrientation.normal

  package func decide() -> Decision {
    var reasons: [Reason] = []
    let allowed = allowedMask(&reasons)
    let wanted = wantedOrientation(allowed, &reasons)
    let orientation = nearest(to: wanted, in: allowed, &reasons)
    return Decision(orientation: orientation, allowed: allowed, reasons: reasons)
  }

  /// Settings ∩ application ∩ requests; a mask that would leave nothing is ignored.
  private func allowedMask(_ reasons: inout [Reason]) -> OrientationMask {
    let desktop = supported.mask(on: naturalAspect)
    var allowed = desktop.isEmpty ? .all : desktop
    if allowed != .all {
      reasons.append(.desktopAllows(allowed))
    }
    if lock != nil, lockOverApps {
      if focused != nil || !requests.isEmpty { reasons.append(.lockOverridesApplications) }
      return allowed
    }
    allowed = narrow(allowed, byRuleWith: &reasons)
    return narrow(allowed, byRequestsWith: &reasons)
  }

  /// The number of requests that are named in the reasons, which are for users.
  private static let namedRequests = 3

  private func narrow(_ allowed: OrientationMask, byRequestsWith reasons: inout [Reason]) -> OrientationMask {
    var left = allowed
    for (index, request) in requests.enumerated() {
      let mask = request.mask.mask(on: naturalAspect)
      let common = left.intersection(mask)
      if index < Self.namedRequests {
        reasons.append(common.isEmpty ? .requestNotAllowed(request) : .requestAllows(mask, request))
      }
      if !common.isEmpty { left = common }
    }
    let others = requests.count - Self.namedRequests
    if others > 0 { reasons.append(.moreRequests(others)) }
    reasons += inactiveRequests.prefix(Self.namedRequests).map(Reason.requestAwaitsFocus)
    return left
  }

  private func narrow(_ allowed: OrientationMask, byRuleWith reasons: inout [Reason]) -> OrientationMask {
    notePlayback(&reasons)
    guard let focused, let words = focused.rule.supported else { return allowed }
    let mask = words.mask(on: naturalAspect)
    let common = allowed.intersection(mask)
    let own = ownRequest(against: common, within: allowed)
    guard !common.isEmpty, own == nil else {
      reasons.append(
        .ruleConflicts(application: focused.application, source: focused.rule.source, request: own))
      return allowed
    }
    reasons.append(.ruleAllows(mask, application: focused.application, source: focused.rule.source))
    return common
  }

  /// A request of the focused application that leaves nothing of its rule. The application knows what it shows, and a
  /// rule that came with a program only guesses; the rules of the user and the administrator are decisions.
  private func ownRequest(
    against rule: OrientationMask, within allowed: OrientationMask
  ) -> OrientationRequest? {
    guard let layer = focused?.rule.layer, layer >= .shipped else { return nil }
    return ownRequests.first { request in
      let wanted = request.mask.mask(on: naturalAspect).intersection(allowed)
      return !wanted.isEmpty && wanted.isDisjoint(with: rule)
    }
  }

  private func notePlayback(_ reasons: inout [Reason]) {
    if let focused, focused.rule.playing == true {
      reasons.append(.applicationPlays(application: focused.application, source: focused.rule.source))
    } else if let awaitingPlay {
      reasons.append(.ruleAwaitsPlay(application: awaitingPlay.application, source: awaitingPlay.rule.source))
    }
  }

  private func wantedOrientation(
    _ allowed: OrientationMask, _ reasons: inout [Reason]
  ) -> InterfaceOrientation {
    let only = allowed.orientations.count == 1 ? allowed.orientations.first : nil
    let (orientation, reason) = wanted(only: only)
    // If only one is allowed the sensor sleeps, so its silence explains nothing.
    if reason == .notUpright(.unknown), let only {
      reasons.append(.onlyOneAllowed(only))
      return only
    }
    reasons.append(reason)
    if case .rotatedByUser = reason, let other = obstacle?.reason ?? only.map(Reason.onlyOneAllowed) {
      reasons.append(other)
    }
    return orientation
  }

  /// - Parameter only: the only allowed orientation; `nil` if there are several.
  private func wanted(only: InterfaceOrientation?) -> (InterfaceOrientation, Reason) {
    if let lock {
      let inPosture = lock.posture.map { Reason.lockedInPosture(lock.orientation, $0) }
      return (lock.orientation, inPosture ?? .locked(lock.orientation, lock.end))
    }
    if let paused { return (paused, .paused(paused)) }
    if let asked { return (asked, .rotatedByUser(asked, resumes: obstacle == nil && only == nil)) }
    if let obstacle { return obstacle }
    if let upright = InterfaceOrientation(device) { return (upright, .upright(device)) }
    return (baseline, .notUpright(device))
  }

  /// What stops auto-rotation besides the user's commands: the orientation meanwhile, and why.
  private var obstacle: (orientation: InterfaceOrientation, reason: Reason)? {
    if let focused, !focused.rule.autoRotate {
      let reason = Reason.applicationPausesRotation(
        application: focused.application, source: focused.rule.source)
      return (shown, reason)
    }
    if let laptopOrientation { return (laptopOrientation, .notInTabletPosture(posture, laptopOrientation)) }
    guard let external else { return nil }
    return (baseline, .externalAttached(external, asked ?? baseline))
  }

  private func nearest(
    to wanted: InterfaceOrientation, in allowed: OrientationMask, _ reasons: inout [Reason]
  ) -> InterfaceOrientation {
    if allowed.contains(wanted) { return wanted }
    if allowed.contains(shown) {
      reasons.append(.notAllowedKeepsCurrent(wanted: wanted, shown: shown))
      return shown
    }
    if let preferred = focused?.rule.preferred, allowed.contains(preferred) {
      reasons.append(.notAllowedUsesPreferred(wanted: wanted, preferred: preferred))
      return preferred
    }
    let nearest = nearestToDevice(in: allowed)
    reasons.append(.notAllowedUsesNearest(wanted: wanted, nearest: nearest))
    return nearest
  }

  /// Ties go to the one nearer to normal, then to the lower raw value.
  private func nearestToDevice(in allowed: OrientationMask) -> InterfaceOrientation {
    let upright = InterfaceOrientation(device) ?? baseline
    let distance = { (orientation: InterfaceOrientation) in
      (upright.quarterTurns(to: orientation), InterfaceOrientation.normal.quarterTurns(to: orientation))
    }
    return allowed.orientations.min { distance($0) < distance($1) } ?? .normal
  }
}
