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
package struct Situation: Sendable {
  var settings = Settings()
  var naturalAspect = PanelAspect.landscape
  /// The window in focus.
  var window: Window?
  /// The rule that applies to it.
  var rule: ApplicationRule?
  /// The rule that would apply if the application in focus were playing media.
  var awaitingPlay: ApplicationRule?
  /// All requests, also those that do not apply to the window.
  var requests: [OrientationRequest] = []
  var lock: Lock?
  var choice = UserChoice()
  /// The orientation in a posture in which the sensor is ignored.
  var laptopOrientation: InterfaceOrientation?
  /// The connected monitor, if it pauses auto-rotation.
  var external: String?
  var posture = Posture.unknown
  var device = DeviceOrientation.unknown
  var shown = InterfaceOrientation.normal

  /// The orientation that is wanted now.
  package func decide() -> Decision {
    var reasons: [Reason] = []
    let allowed = allowedMask(&reasons)
    let wanted = wantedOrientation(allowed, &reasons)
    let orientation = nearest(to: wanted, in: allowed, &reasons)
    return Decision(orientation: orientation, allowed: allowed, reasons: reasons)
  }

  /// Settings ∩ application ∩ requests; a mask that would leave nothing is ignored.
  private func allowedMask(_ reasons: inout [Reason]) -> OrientationMask {
    let desktop = settings.supported.mask(on: naturalAspect)
    var allowed = desktop.isEmpty ? .all : desktop
    if allowed != .all {
      reasons.append(.desktopAllows(allowed))
    }
    if lock != nil, settings.lockOverApps {
      if rule != nil || !activeRequests.isEmpty { reasons.append(.lockOverridesApplications) }
      return allowed
    }
    allowed = narrow(allowed, byRuleWith: &reasons)
    return narrow(allowed, byRequestsWith: &reasons)
  }

  /// The number of requests that are named in the reasons, which are for users.
  private static let namedRequests = 3

  /// The requests whose application has focus, and those for any focus.
  private var activeRequests: [OrientationRequest] { requests.filter { $0.applies(to: window) } }

  private func narrow(_ allowed: OrientationMask, byRequestsWith reasons: inout [Reason]) -> OrientationMask {
    var left = allowed
    let active = activeRequests
    for (index, request) in active.enumerated() {
      let mask = request.mask.mask(on: naturalAspect)
      let common = left.intersection(mask)
      if index < Self.namedRequests {
        reasons.append(common.isEmpty ? .requestNotAllowed(request) : .requestAllows(mask, request))
      }
      if !common.isEmpty { left = common }
    }
    let others = active.count - Self.namedRequests
    if others > 0 { reasons.append(.moreRequests(others)) }
    let inactive = requests.filter { !$0.applies(to: window) }
    reasons += inactive.prefix(Self.namedRequests).map(Reason.requestAwaitsFocus)
    return left
  }

  /// Of the application in focus, for messages.
  private var application: String { window?.identifiers.first ?? "The application" }

  private func narrow(_ allowed: OrientationMask, byRuleWith reasons: inout [Reason]) -> OrientationMask {
    notePlayback(&reasons)
    guard let rule, let words = rule.supported else { return allowed }
    let mask = words.mask(on: naturalAspect)
    let common = allowed.intersection(mask)
    let own = ownRequest(against: common, within: allowed)
    guard !common.isEmpty, own == nil else {
      reasons.append(.ruleConflicts(application: application, source: rule.source, request: own))
      return allowed
    }
    reasons.append(.ruleAllows(mask, application: application, source: rule.source))
    return common
  }

  /// A request of the focused application that leaves nothing of its rule. The application knows what it shows, and a
  /// rule that came with a program only guesses; the rules of the user and the administrator are decisions.
  private func ownRequest(
    against ruleMask: OrientationMask, within allowed: OrientationMask
  ) -> OrientationRequest? {
    guard let layer = rule?.layer, layer >= .shipped else { return nil }
    return requests.first { request in
      let wanted = request.mask.mask(on: naturalAspect).intersection(allowed)
      return request.isOwn(of: window) && !wanted.isEmpty && wanted.isDisjoint(with: ruleMask)
    }
  }

  private func notePlayback(_ reasons: inout [Reason]) {
    if let rule, rule.playing == true {
      reasons.append(.applicationPlays(application: application, source: rule.source))
    } else if let awaitingPlay {
      reasons.append(.ruleAwaitsPlay(application: application, source: awaitingPlay.source))
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
    if let paused = choice.paused { return (paused, .paused(paused)) }
    if let asked = choice.asked {
      return (asked, .rotatedByUser(asked, resumes: obstacle == nil && only == nil))
    }
    if let obstacle { return obstacle }
    if let upright = InterfaceOrientation(device) { return (upright, .upright(device)) }
    return (choice.baseline, .notUpright(device))
  }

  /// What stops auto-rotation besides the user's commands: the orientation meanwhile, and why.
  private var obstacle: (orientation: InterfaceOrientation, reason: Reason)? {
    if let rule, !rule.autoRotate {
      return (shown, .applicationPausesRotation(application: application, source: rule.source))
    }
    if let laptopOrientation { return (laptopOrientation, .notInTabletPosture(posture, laptopOrientation)) }
    guard let external else { return nil }
    return (choice.baseline, .externalAttached(external, choice.asked ?? choice.baseline))
  }

  private func nearest(
    to wanted: InterfaceOrientation, in allowed: OrientationMask, _ reasons: inout [Reason]
  ) -> InterfaceOrientation {
    if allowed.contains(wanted) { return wanted }
    if allowed.contains(shown) {
      reasons.append(.notAllowedKeepsCurrent(wanted: wanted, shown: shown))
      return shown
    }
    if let preferred = rule?.preferred, allowed.contains(preferred) {
      reasons.append(.notAllowedUsesPreferred(wanted: wanted, preferred: preferred))
      return preferred
    }
    let nearest = nearestToDevice(in: allowed)
    reasons.append(.notAllowedUsesNearest(wanted: wanted, nearest: nearest))
    return nearest
  }

  /// Ties go to the one nearer to normal, then to the lower raw value.
  private func nearestToDevice(in allowed: OrientationMask) -> InterfaceOrientation {
    let upright = InterfaceOrientation(device) ?? choice.baseline
    let distance = { (orientation: InterfaceOrientation) in
      (upright.quarterTurns(to: orientation), InterfaceOrientation.normal.quarterTurns(to: orientation))
    }
    return allowed.orientations.min { distance($0) < distance($1) } ?? .normal
  }
}
