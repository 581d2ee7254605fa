// SPDX-License-Identifier: MIT

/// The progress of a rotation.
///
///     idle ── willRotate ──▶ preparing ── ready, or 2 s ──▶ applying ── finished ──▶ idle
///                                └── no longer wanted ──▶ idle  └── failed, or 5 s ──▶ idle, tried again later
///
/// Each return to idle is reported with didRotate.
struct RotationProgress: Sendable {
  enum Phase: Equatable, Sendable {
    case idle
    /// willRotate was sent; hooks and clients on the bus have until `due` to prepare.
    case preparing(Rotation, due: Instant)
    /// The rotation was sent to the display system, which has until `due` to answer.
    case applying(Rotation, [PanelRotation], due: Instant)
  }

  /// A rotation that failed, which is not tried again before `retryAt`.
  struct Failure: Equatable, Sendable {
    var target: InterfaceOrientation
    var reason: Message
    var attempts: Int
    /// `nil` after the last attempt; then something else must change first.
    var retryAt: Instant?
    /// When to report it, unless the rotation has succeeded by then; `nil` once reported.
    var reportAt: Instant?
  }

  /// How long a hook may take to save its work; the user should not wait longer.
  static let preparationTimeout = Duration.seconds(2)
  /// The slowest desktop measured took 0.35 s under load.
  static let applyTimeout = Duration.seconds(5)
  /// After the last of them the cause is assumed to be permanent.
  static let retryIntervals: [Duration] = [.seconds(1), .seconds(4), .seconds(16)]
  /// Delays the report of a failure: that the panel is off, which explains it, may be reported slightly later.
  static let failureReportDelay = Duration.milliseconds(300)
  /// Failures within this time after the screen becomes visible are retried quickly and not counted: X needs a moment
  /// to get the console back.
  static let activationTime = Duration.seconds(2)
  static let activationRetryInterval = Duration.milliseconds(200)

  /// More than any display system leaves unanswered at once; a limit, since some never answer.
  private static let maximumUnanswered = 8

  /// The number of rotations so far.
  var count: UInt64 = 0
  var phase = Phase.idle
  /// Rotations that timed out before the display system answered; it may still apply them.
  private var unanswered: [(rotation: Rotation, changes: [PanelRotation])] = []
  var failure: Failure?
  /// Whether the screen was invisible at any time since the rotation began.
  var becameInvisible = false
  var visibleSince: Instant?
  /// The output that was reported as unable to rotate.
  var reportedUnable: String?
  /// Outputs in the settings that were reported as not connected.
  var reportedMissing: Set<String> = []
  /// Since when the user or a change of focus has been waiting for a rotation.
  var askedSince: Instant?

  /// The rotation under way.
  var rotation: Rotation? {
    switch phase {
    case .idle: nil
    case .preparing(let rotation, _), .applying(let rotation, _, _): rotation
    }
  }

  var deadline: Instant? {
    let next: Instant? =
      switch phase {
      case .idle: failure?.retryAt
      case .preparing(_, let due), .applying(_, _, let due): due
      }
    return [next, failure?.reportAt].compactMap { $0 }.min()
  }

  func isAnswered(by event: Event) -> Bool {
    guard case .applying(let rotation, _, _) = phase else { return false }
    switch event {
    case .rotationFinished(rotation), .rotationFailed(rotation, _): return true
    default: return false
    }
  }

  mutating func recordUnanswered(_ rotation: Rotation, _ changes: [PanelRotation]) {
    if unanswered.count == Self.maximumUnanswered { unanswered.removeFirst() }
    unanswered.append((rotation, changes))
  }

  /// - Returns: the panel rotations it consisted of; `nil` if it was not recorded as unanswered.
  @discardableResult
  mutating func forget(_ rotation: Rotation) -> [PanelRotation]? {
    unanswered.firstIndex { $0.rotation == rotation }.map { unanswered.remove(at: $0).changes }
  }

  /// Display systems apply rotations in order: once one is applied, earlier ones are not applied any more.
  mutating func forgetRotations(before rotation: Rotation) {
    unanswered.removeAll {
      $0.rotation.number < rotation.number && !Set($0.rotation.outputs).isDisjoint(with: rotation.outputs)
    }
  }

  /// Once an unanswered rotation is seen, the next one to the same orientation is not caused by it.
  mutating func forgetRotations(shownAs orientation: InterfaceOrientation, on output: String) {
    unanswered.removeAll { $0.rotation.to == orientation && $0.rotation.outputs.contains(output) }
  }

  /// Whether a rotation that failed or timed out may have caused this orientation, so that nobody asked for it.
  func mayHaveCaused(_ orientation: InterfaceOrientation, on output: String) -> Bool {
    failure?.target == orientation
      || unanswered.contains { $0.rotation.to == orientation && $0.rotation.outputs.contains(output) }
  }

  mutating func fail(_ rotation: Rotation, reason: Message, at now: Instant) {
    let before = failure?.target == rotation.to ? failure : nil
    if let visibleSince, now < visibleSince + Self.activationTime {
      let retry = now + Self.activationRetryInterval
      failure = Failure(target: rotation.to, reason: reason, attempts: before?.attempts ?? 0, retryAt: retry)
      return
    }
    let attempts = (before?.attempts ?? 0) + 1
    let retry = attempts <= Self.retryIntervals.count ? now + Self.retryIntervals[attempts - 1] : nil
    let report = attempts == 1 ? now + Self.failureReportDelay : before?.reportAt
    failure = Failure(
      target: rotation.to, reason: reason, attempts: attempts, retryAt: retry, reportAt: report)
  }

  /// Whether a rotation to `target` has failed and is not due for a retry, or has no retries left.
  func isBlocked(_ target: InterfaceOrientation, at now: Instant) -> Bool {
    guard let failure, failure.target == target else { return false }
    return failure.retryAt.map { now < $0 } ?? true
  }
}

/// Delays rotations while a finger is on the screen.
///
///     device rotated     ▁▁finger▁▁│ 500 ms │ rotation
///     user asked         ▁▁finger▁▁│ rotation               (the button was tapped by touch)
///     user asked         ▁▁▁▁▁▁▁▁▁▁▁▁▁▁ 1 s ▁▁▁│ rotation   (a palm that stays)
struct TouchGuard: Sendable {
  /// The same delay after the last touch as in Android's WindowOrientationListener.
  static let delayAfterTouch = Duration.milliseconds(500)
  /// A rotation that the user asked for does not wait longer for the finger.
  static let maximumDelay = Duration.seconds(1)

  var isTouching = false
  private var endedAt: Instant?

  mutating func touchEnded(at now: Instant) {
    isTouching = false
    endedAt = now
  }

  /// When a rotation may begin: `nil` for at once, `.never` if the finger must be lifted first.
  /// - Parameter asked: when the user or a change of focus asked for it, if one did.
  func waitEnd(asked: Instant?) -> Instant? {
    if let asked { return isTouching ? asked + Self.maximumDelay : nil }
    return isTouching ? .never : endedAt.map { $0 + Self.delayAfterTouch }
  }
}
