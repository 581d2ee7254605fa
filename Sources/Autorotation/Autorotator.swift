// SPDX-License-Identifier: MIT

/// Everything that can happen.
package enum Event: Equatable, Sendable {
  /// A sample of the sensors, in the panel's frame.
  case motion(MotionSample)
  /// A sensor that classifies itself (iio-sensor-proxy) says how the device is held.
  case deviceTurned(DeviceOrientation)
  case sensorFound(name: String)
  case sensorLost(Message)

  /// The first finger came down on the touchscreen; the last one went up.
  case touchBegan, touchEnded
  /// The first pen came near the screen; the last one left.
  case penCame, penLeft
  /// What the input devices say of the posture, each time any of them changes.
  case postureEvidence(PostureEvidence)
  /// What the hinge's angle says, each time that changes; `unknown` when it is not measured.
  case hingeTold(HingeWord)
  /// The person says what the posture is, or leaves that to what tells of it (`nil`).
  case setPosture(Posture?)
  case focusChanged(Window?)
  /// All applications that tell what they play, each time any of that changes; told while `needsPlayers`.
  case playersChanged([Player])
  case requestAdded(OrientationRequest)
  /// All that end at the same moment.
  case requestsRemoved(ids: Set<UInt32>)

  /// Without a wish, what is shown now is locked.
  case lock(OrientationWish?, until: Lock.End?)
  case unlock
  /// Follow the device once, at most until then, and lock again.
  case followOnce(until: Instant)
  case toggleLock
  /// `saveLock` failed: a restart will bring back another lock than the one in effect.
  case lockNotSaved(Message)
  /// Turn now, even while locked.
  case rotate(InterfaceOrientation)
  /// The same for an output by its name, the panel without one. A monitor stays so over restart and hot-plug.
  case turn(OrientationWish, output: String?)
  /// Turn as is offered.
  case takeSuggestion
  /// The person does not want the turn that is offered.
  case declineSuggestion
  /// The answers to `turnOutput`.
  case outputTurned(PanelTurn)
  case outputNotTurned(PanelTurn, Message)
  /// Pause auto-rotation where it is, or go on with it.
  case hold(Bool)

  /// All displays, each time any of them changes.
  case outputsChanged([Output])
  /// The desktop rotates the picture itself, so we must not; `nil` when it does not, or no longer does.
  case desktopTurns(Message?)
  /// The answer to `askDesktop`: whether it leaves the picture as it is on purpose, such as by a lock of its own.
  case desktopAnswered(staysOnPurpose: Bool)
  /// Everybody who asked to be told before this turn has answered.
  case readyToRotate(Rotation)
  /// The answers to `apply`. An answer names its question, so one that arrives after its turn was given up
  /// is not mistaken for an answer to the next.
  case rotationFinished(Rotation)
  case rotationFailed(Rotation, Message)
  /// The display system does not answer. It may still make the turn when it recovers.
  case rotationUnanswered(Rotation, Message)
  case displayPowerChanged(isOn: Bool)
  /// Whether this session is the active one. It is not while another user's session or a text console is.
  case sessionChanged(isActive: Bool)
  /// The display system reloads its own settings; what it turns now was asked for by nobody.
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
  /// All of it at a stroke, or none of it.
  /// - Parameter turns: of every output that is lit, also of those that stand right already.
  case apply(Rotation, _ turns: [PanelTurn])
  /// Turn an output besides the panels; answered by `outputTurned` or `outputNotTurned`.
  case turnOutput(PanelTurn)
  /// Keep these over a restart.
  case saveTurns([String: InterfaceOrientation])
  /// Follows each `willRotate`. If the turn failed or was cancelled, the rotation `isNone`.
  case didRotate(Rotation)
  /// Offer a turn to the person; `nil` withdraws the offer.
  case suggest(InterfaceOrientation?)
  case postureChanged(from: Posture, to: Posture)
  /// Ask the desktop that turns the picture by itself, and does not now; answered by `desktopAnswered`.
  case askDesktop
  /// Let touchscreens do nothing, as a pen is near, or everything again.
  case switchTouch(isOn: Bool)
  /// Keep the lock over a restart, or forget it.
  case saveLock(InterfaceOrientation?)
  /// Keep over a restart how the lock was left in each posture.
  case saveLockMemories([Posture: LockMemory])
  /// To be read once.
  /// - Parameter fault: what it is about, where that is one: it applies while `Status.reasons` tell of it.
  case report(Message, of: Fault?)
  /// The command that just came cannot be done now, and is forgotten.
  case refuse(Message)
  case publish(Status)
}

/// One turn of the picture, on all panels.
package struct Rotation: Equatable, Sendable {
  package var from: InterfaceOrientation
  package var to: InterfaceOrientation
  /// The first of those that turn.
  package var output: String
  /// The others, in their order.
  package var others: [String]
  /// Pixels of the first one's picture after the turn.
  package var width: Int
  package var height: Int
  /// Distinguishes it from another turn between the same orientations.
  package var number: UInt64
  /// Why, as it was decided.
  package var reasons: [Reason]

  package init(
    from: InterfaceOrientation, to: InterfaceOrientation, output: String, others: [String] = [], width: Int,
    height: Int, number: UInt64 = 0, because reasons: [Reason] = []
  ) {
    self.from = from
    self.to = to
    self.output = output
    self.others = others
    self.width = width
    self.height = height
    self.number = number
    self.reasons = reasons
  }

  /// Whether the turn did not happen: the picture stays as it was.
  package var isNone: Bool { from == to }

  func turns(_ name: String) -> Bool { name == output || others.contains(name) }

  func sharesOutput(with other: Self) -> Bool {
    turns(other.output) || other.others.contains(where: turns)
  }

  /// The same without the turn.
  var staying: Rotation {
    let isQuarter = from.quarterTurns(to: to) == 1
    return Rotation(
      from: from, to: from, output: output, others: others,
      width: isQuarter ? height : width, height: isQuarter ? width : height, number: number)
  }
}

/// The whole program as one state machine that neither waits nor prints: events in, actions out.
///
/// Each event is handled in the same order: what is due by now, then what the event changes
/// (`Autorotator+Events`), then whether that calls for a turn (`Autorotator+Turning`), then whether the
/// sensor is needed and what to report.
package struct Autorotator: Sendable {
  var settings: Settings
  var outputs: [Output] = []
  /// What the panel shows, the first one if there are several, as far as is known.
  var shown = InterfaceOrientation.normal
  var turning = Turning()

  var classifier = OrientationClassifier()
  var sensor = Status.Sensor.searching
  var demand = SensorDemand.off
  /// As the sensor reports it.
  var sensed = DeviceOrientation.unknown
  /// When the samples became implausible, if all since then were.
  var implausibleSince: Instant?
  var isImplausible = false
  /// Said once per sensor, however often it comes and goes.
  var hasReportedImplausible = false
  /// The same for its gyroscope.
  var hasReportedGyroscope = false
  /// By when a sensor that was woken must have reported first.
  var firstWordDue: Instant?

  var lock: Lock?
  /// Why the lock, or its absence, will not survive a restart.
  var lockNotSaved: Message?
  var lockMemories: [Posture: LockMemory] = [:]
  var relock: Relock?
  var hold: InterfaceOrientation?
  var asked: InterfaceOrientation?
  /// What narrowed the choice when `asked` was set. `asked` ends when any of it does.
  var askedWithin = Restrictions()
  /// What was shown last that no application caused.
  var baseline = InterfaceOrientation.normal

  var postureJudge = PostureJudge()
  package internal(set) var posture = Posture.unknown
  var focus = Focus()
  var windows = KnownWindows()
  var playback = Playback()
  var requests: [OrientationRequest] = []
  var touch = TouchGuard()
  var pen = PenGuard()
  /// The last upright orientation of the device, even if the sensor has slept since.
  var heldLast: InterfaceOrientation?
  var isDisplayOn = true
  var isSessionActive = true
  var isSuspended = false
  /// When outputs were last added, removed or changed in more than their rotation.
  var layoutChangedAt: Instant?
  /// Why the picture is left to the desktop, if it is.
  var desktopTurns: Message?
  var doubt = DesktopDoubt()

  /// What a person has turned besides the panels.
  var kept: KeptTurns

  var offer: Offer?
  /// The turn that can be taken now.
  var suggestion: InterfaceOrientation?
  private var published: Status?

  /// When `deadlineReached` is wanted, if no other event comes before.
  package private(set) var deadline: Instant?
  /// Whether a turn of the device could change the picture now. Cached, since every sample asks.
  var followsDevice = false

  /// - Parameters:
  ///   - lock: the one saved last time.
  ///   - turns: the outputs besides the panels that were turned by then.
  ///   - memories: how the lock was left in each posture.
  package init(
    settings: Settings = Settings(), lock: InterfaceOrientation? = nil,
    turns: [String: InterfaceOrientation] = [:], memories: [Posture: LockMemory] = [:]
  ) {
    kept = KeptTurns(turns)
    lockMemories = memories
    self.settings = settings
    self.lock = lock.map { Lock(orientation: $0) }
    baseline = lock ?? .normal
    postureJudge.choice = settings.tabletSwitch
    postureJudge.tellsShape = settings.tellsShape
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    if case .motion(let sample) = event, !note(sample, at: now), now < deadline ?? .never {
      return []
    }
    var actions: [Action] = []
    let wasDark = isDark
    expire(at: now, before: event, &actions)
    absorb(event, at: now, &actions)
    concludePosture(at: now, &actions)
    followPlayback(at: now)
    if isDark != wasDark { lightChanged(at: now, &actions) }
    forgetWhatWasAskedElsewhere()
    keepLaptopOrientation()
    adjustSensor(at: now, &actions)
    watchDesktop(at: now, &actions)
    turn(at: now, &actions)
    turnKept(&actions)
    adjustTouch(at: now, &actions)
    suggest(at: now, &actions)
    publish(at: now, &actions)
    deadline = nextDeadline(after: now)
    return actions
  }

  /// Whether there is nothing to rotate here, now or later: no panel, not even a dark one, or one that
  /// offers no rotation.
  package var hasNothingToTurn: Bool {
    panel == nil ? panels.isEmpty : !canTurn
  }

  /// Whether the panel is lit, and can be turned at all; each of them, if there are several.
  var canTurn: Bool {
    let lit = litPanels
    return !lit.isEmpty && !lit.contains(where: \.isFixed)
  }

  /// A laptop that is folded back while it lies flat keeps showing what it showed as a laptop.
  private mutating func keepLaptopOrientation() {
    guard let laptopOrientation, lock == nil, hold == nil, asked == nil else { return }
    baseline = laptopOrientation
  }

  /// Which way the panel's natural picture lies; `nil` without a panel.
  package var naturalAspect: PanelAspect? {
    panel == nil ? nil : situation.naturalAspect
  }

  private func nextDeadline(after now: Instant) -> Instant? {
    [
      lockEnd, relock?.due, focus.changesAt, playback.endsAt, turning.deadline, turnWaitsUntil, firstWordDue,
      implausibleDue, offer?.end, pen.deadline, postureJudge.deadline(after: now),
      doubt.deadline(after: now),
    ]
    .compactMap { $0 }.filter { $0 > now && $0 < .never }.min()
  }

  private mutating func publish(at now: Instant, _ actions: inout [Action]) {
    let status = status(at: now)
    guard status != published else { return }
    published = status
    actions.append(.publish(status))
  }
}
