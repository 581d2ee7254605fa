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
    /// Others were notified; they may take until `due`.
    case preparing(Rotation, due: Instant)
    /// The display system was asked; it may take until `due`.
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
  static let preparationTime = Duration.seconds(2)
  /// The slowest desktop measured took 0.35 s under load.
  static let applicationTime = Duration.seconds(5)
  /// A failure that outlasts these has a lasting cause.
  static let retries: [Duration] = [.seconds(1), .seconds(4), .seconds(16)]
  /// A report that the panel is off, so that nothing has failed, may arrive a moment after the failure.
  static let graceTime = Duration.milliseconds(300)
  /// A display system whose session becomes active again needs a moment: X takes a while to get the console back.
  static let wakingTime = Duration.seconds(2)
  static let wakingRetryTime = Duration.milliseconds(200)

  /// More than any display system leaves unanswered at once; bounded because some never answer.
  private static let mostUnanswered = 8

  /// The number of rotations so far.
  var count: UInt64 = 0
  var phase = Phase.idle
  /// Rotations that were given up before the display system answered: it may still apply them.
  private var unanswered: [(rotation: Rotation, changes: [PanelRotation])] = []
  var failure: Failure?
  /// Whether the screen was invisible at any time since the rotation began.
  var becameInvisible = false
  /// When the screen last became visible.
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

  /// Whether an event is the answer to the rotation under way.
  func isAnswered(by event: Event) -> Bool {
    guard case .applying(let rotation, _, _) = phase else { return false }
    switch event {
    case .rotationFinished(rotation), .rotationFailed(rotation, _), .rotationUnanswered(rotation, _):
      return true
    default: return false
    }
  }

  mutating func recordUnanswered(_ rotation: Rotation, _ changes: [PanelRotation]) {
    if unanswered.count == Self.mostUnanswered { unanswered.removeFirst() }
    unanswered.append((rotation, changes))
  }

  /// - Returns: its transforms; `nil` if it was not given up.
  @discardableResult
  mutating func forget(_ rotation: Rotation) -> [PanelRotation]? {
    unanswered.firstIndex { $0.rotation == rotation }.map { unanswered.remove(at: $0).changes }
  }

  /// A display system works in order: once a rotation is applied, the earlier ones will not come.
  mutating func forgetRotations(before rotation: Rotation) {
    unanswered.removeAll { $0.rotation.sharesOutput(with: rotation) && $0.rotation.number < rotation.number }
  }

  /// Whether a rotation that failed or was given up may have caused this orientation, so that nobody asked for it.
  func mayStillShow(_ orientation: InterfaceOrientation, on output: String) -> Bool {
    failure?.target == orientation
      || unanswered.contains { $0.rotation.to == orientation && $0.rotation.includes(output) }
  }

  mutating func fail(_ rotation: Rotation, reason: Message, at now: Instant) {
    let before = failure?.target == rotation.to ? failure : nil
    if let visibleSince, now < visibleSince + Self.wakingTime {
      let retry = now + Self.wakingRetryTime
      failure = Failure(target: rotation.to, reason: reason, attempts: before?.attempts ?? 0, retryAt: retry)
      return
    }
    let attempts = (before?.attempts ?? 0) + 1
    let retry = attempts <= Self.retries.count ? now + Self.retries[attempts - 1] : nil
    let report = attempts == 1 ? now + Self.graceTime : before?.reportAt
    failure = Failure(
      target: rotation.to, reason: reason, attempts: attempts, retryAt: retry, reportAt: report)
  }

  /// Whether a rotation to `target` failed a moment ago, or too often.
  func isBlocked(_ target: InterfaceOrientation, at now: Instant) -> Bool {
    guard let failure, failure.target == target else { return false }
    return failure.retryAt.map { now < $0 } ?? true
  }
}
