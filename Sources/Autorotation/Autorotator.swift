// SPDX-License-Identifier: MIT

/// Everything that can happen.
package enum Event: Equatable, Sendable {
  /// A sample of the accelerometer, in the panel's frame.
  case acceleration(Acceleration)
  /// A sensor that classifies itself (iio-sensor-proxy) says how the device is held.
  case deviceTurned(DeviceOrientation)
  case sensorFound(name: String)
  /// `reason` is a sentence for the person, with the next step where there is one.
  case sensorLost(reason: String)

  /// The first finger came down on the touchscreen; the last one went up.
  case touchBegan, touchEnded
  case postureChanged(Posture)
  case focusChanged(Window?)
  case requestAdded(OrientationRequest)
  /// All that end at the same moment.
  case requestsRemoved(ids: Set<UInt32>)

  /// Without an orientation, what is shown now is locked.
  case lock(InterfaceOrientation?, until: Lock.End?)
  case unlock
  case toggleLock
  /// Turn now, even while locked.
  case rotate(InterfaceOrientation)
  /// Pause auto-rotation where it is, or go on with it.
  case hold(Bool)

  /// All displays, each time any of them changes.
  case outputsChanged([Output])
  /// The desktop turns the picture by itself, so that we must not: a sentence for the person, with the next
  /// step; `nil` when it does not, or no longer.
  case desktopTurns(String?)
  /// Everybody who wanted to know before this turn has answered.
  case readyToRotate(Rotation)
  /// The answers to `apply`. An answer knows its question: one that comes after its turn was given up says
  /// nothing of the next.
  case rotationFinished(Rotation)
  case rotationFailed(Rotation, reason: String)
  /// The display system does not answer. It may make the turn yet, when it goes on.
  case rotationUnanswered(Rotation, reason: String)
  case displayPowerChanged(isOn: Bool)
  /// Whether this session is the one in front of the person: not so while another user's is, or a text console.
  case sessionChanged(isActive: Bool)
  /// The display system reads its own settings anew, so that what it turns now is nobody's wish.
  case layoutReloaded
  /// All names of each application that has a window open; `nil` if the display system does not list them.
  case windowsListed([[String]]?)

  case settingsChanged(Settings)
  case suspended
  case resumed
  /// The moment that `deadline` asked for has come.
  case deadlineReached
}

/// Everything the program can do.
package enum Action: Equatable, Sendable {
  case setSensor(SensorDemand)
  /// Tell whoever wants to know; answered by `readyToRotate`.
  case willRotate(Rotation)
  /// Answered by `rotationFinished`, `rotationFailed` or `rotationUnanswered`, once, with the same rotation.
  case apply(Rotation, DisplayTransform)
  /// Follows each `willRotate`; if the turn failed or was called off, with a rotation that `isNone`.
  case didRotate(Rotation)
  /// Offer a turn to the person, or (`nil`) take the offer back.
  case suggest(InterfaceOrientation?)
  /// Keep the lock over a restart, or forget it.
  case saveLock(InterfaceOrientation?)
  case report(Notice)
  /// The command that just came cannot be done now, and is forgotten.
  case refuse(Phrase)
  case publish(Status)
}

/// One turn of the picture.
package struct Rotation: Equatable, Sendable {
  package var from: InterfaceOrientation
  package var to: InterfaceOrientation
  package var output: String
  /// Pixels of the picture after the turn.
  package var width: Int
  package var height: Int
  /// Tells it from another one between the same orientations.
  package var number: UInt64
  /// Why, as it was decided.
  package var reasons: [Reason]

  package init(
    from: InterfaceOrientation, to: InterfaceOrientation, output: String, width: Int, height: Int,
    number: UInt64 = 0, because reasons: [Reason] = []
  ) {
    self.from = from
    self.to = to
    self.output = output
    self.width = width
    self.height = height
    self.number = number
    self.reasons = reasons
  }

  /// Of a turn that did not come about: what was told to be left is what stands.
  package var isNone: Bool { from == to }

  /// The same without the turn.
  var staying: Rotation {
    let isQuarter = from.quarterTurns(to: to) == 1
    return Rotation(
      from: from, to: from, output: output,
      width: isQuarter ? height : width, height: isQuarter ? width : height, number: number)
  }
}

/// The whole program as one machine that neither waits nor prints: events in, actions out.
///
/// Each event goes the same way: what has fallen due by now, then what the event changes
/// (`Autorotator+Events`), then whether that calls for a turn (`Autorotator+Turning`), then whether the
/// sensor is needed and what is to be told.
package struct Autorotator: Sendable {
  var settings: Settings
  var outputs: [Output] = []
  /// What the panel shows, as far as is known.
  var shown = InterfaceOrientation.normal
  var turning = Turning()

  var classifier = OrientationClassifier()
  var sensor = Status.Sensor.searching
  var demand = SensorDemand.off
  var device = DeviceOrientation.unknown
  /// Since when every sample was one that cannot be.
  var implausibleSince: Instant?
  var isImplausible = false
  /// Said once per sensor, however often it comes and goes.
  var hasReportedImplausible = false
  /// Until when a woken sensor may take for its first word.
  var firstWordDue: Instant?

  var lock: Lock?
  var hold: InterfaceOrientation?
  var asked: InterfaceOrientation?
  /// What narrowed the choice when that was asked for: it ends with any of it.
  var askedWithin = Restrictions()
  /// What was shown last without any application's doing.
  var resting = InterfaceOrientation.normal

  var posture = Posture.unknown
  var focus = Focus()
  var windows = KnownWindows()
  var requests: [OrientationRequest] = []
  var touch = TouchGuard()
  /// The upright way the device was held last, even if the sensor slept since.
  var heldLast: InterfaceOrientation?
  var isDisplayOn = true
  var isSessionActive = true
  var isSuspended = false
  /// When outputs came, went or changed in more than a turn.
  var layoutChangedAt: Instant?
  /// Why the picture is left to the desktop, if it is.
  var desktopTurns: String?

  var suggestion: InterfaceOrientation?
  private var published: Status?

  /// When `deadlineReached` is wanted, if no other event comes before.
  package private(set) var deadline: Instant?
  /// Whether a turn of the device could change the picture now. Kept, since every sample asks.
  var followsDevice = false

  /// - Parameter lock: the one saved last time.
  package init(settings: Settings = Settings(), lock: InterfaceOrientation? = nil) {
    self.settings = settings
    self.lock = lock.map { Lock(orientation: $0) }
    resting = lock ?? .normal
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    if case .acceleration(let a) = event, !note(a, at: now), now < deadline ?? .never {
      return []
    }
    var actions: [Action] = []
    let wasDark = isDark
    expire(at: now, before: event, &actions)
    absorb(event, at: now, &actions)
    if isDark != wasDark { lightChanged(at: now, &actions) }
    forgetWhatWasAskedElsewhere()
    restInLaptopOrientation()
    adjustSensor(at: now, &actions)
    turn(at: now, &actions)
    suggest(&actions)
    publish(at: now, &actions)
    deadline = nextDeadline(after: now)
    return actions
  }

  /// Whether there is nothing to turn here, now or later: no panel, not even a dark one, or one that
  /// offers no rotation.
  package var hasNothingToTurn: Bool {
    panel == nil ? panels.isEmpty : !canTurn
  }

  /// Whether the panel is lit, and can be turned at all.
  var canTurn: Bool {
    panel.map { !$0.supportedTransforms.isSubset(of: TransformSet($0.transform)) } ?? false
  }

  /// Whether the posture could change anything now.
  package var needsPosture: Bool {
    let isAsked = settings.rotateIn == .tablet || settings.watchesPosture || lock?.end == .unfolded
    return isAsked && !isDark
  }

  /// What a laptop shows is what stays when it is folded back while it lies flat.
  private mutating func restInLaptopOrientation() {
    guard let laptopOrientation, lock == nil, hold == nil, asked == nil else { return }
    resting = laptopOrientation
  }

  /// Which way the panel's natural picture lies; `nil` without a panel.
  package var naturalAspect: PanelAspect? {
    panel == nil ? nil : situation.naturalAspect
  }

  private func nextDeadline(after now: Instant) -> Instant? {
    [lockEnd, focus.settlesAt, turning.deadline, turnWaitsUntil, firstWordDue, implausibleDue]
      .compactMap { $0 }.filter { $0 > now && $0 < .never }.min()
  }

  private mutating func publish(at now: Instant, _ actions: inout [Action]) {
    let status = status(at: now)
    guard status != published else { return }
    published = status
    actions.append(.publish(status))
  }
}
