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
  /// What the input devices say of the posture, each time any of them changes.
  case postureEvidence(PostureEvidence)
  /// What the hinge's angle says, each time that changes; `unknown` when it is not measured.
  case hingeTold(HingeWord)
  case focusChanged(Window?)
  /// All applications that tell what they play, each time any of that changes; told while `needsPlayers`.
  case playersChanged([Player])
  case requestAdded(OrientationRequest)
  /// All that end at the same moment.
  case requestsRemoved(ids: Set<UInt32>)

  case command(DaemonCommand)
  /// `saveLock` failed: a restart will bring back another lock than the one in effect.
  case lockNotSaved(Message)
  /// The person does not want the turn that is offered.
  case declineSuggestion
  /// The answers to `turnOutput`.
  case outputTurned(PanelTurn)
  case outputNotTurned(PanelTurn, Message)

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
  /// The user asks for a rotation and nothing is to rotate: check touch, and switch on what a rotation left off.
  case repair
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
  var displays = DisplayState()
  var turning = Turning()
  /// What a person has turned besides the panels.
  var kept: KeptTurns
  var sensor = SensorState()
  var postureJudge = PostureJudge()
  /// The last one reported.
  package internal(set) var posture = Posture.unknown
  var locking: LockState
  var choice: UserChoice
  var applications = ApplicationState()
  var touch = TouchGuard()
  var desktop = DesktopRotation()
  var suggestion = SuggestionState()
  private var published: Status?
  /// When `deadlineReached` is wanted, if no other event comes before.
  package private(set) var deadline: Instant?

  /// - Parameters:
  ///   - lock: the one saved last time.
  ///   - turns: the outputs besides the panels that were turned by then.
  ///   - memories: how the lock was left in each posture.
  package init(
    settings: Settings = Settings(), lock: InterfaceOrientation? = nil,
    turns: [String: InterfaceOrientation] = [:], memories: [Posture: LockMemory] = [:]
  ) {
    self.settings = settings
    kept = KeptTurns(turns)
    locking = LockState(lock: lock.map { Lock(orientation: $0) }, memories: memories)
    choice = UserChoice(baseline: lock ?? .normal)
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
    var decision = decision
    if adjustSensor(decision, at: now, &actions) { decision = self.decision }
    watchDesktop(decision, at: now, &actions)
    turn(to: decision, at: now, &actions)
    turnKept(&actions)
    suggest(decision, at: now, &actions)
    publish(decision, at: now, &actions)
    deadline = nextDeadline(decision, after: now)
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
    guard let laptopOrientation, !isChosen else { return }
    choice.baseline = laptopOrientation
  }

  /// Which way the panel's natural picture lies; `nil` without a panel.
  package var naturalAspect: PanelAspect? {
    panel == nil ? nil : situation.naturalAspect
  }

  private func nextDeadline(_ decision: Decision, after now: Instant) -> Instant? {
    [
      locking.end, locking.relock?.due, applications.focus.changesAt, applications.playback.endsAt,
      turning.deadline, waitEnd(of: decision), sensor.firstReportDue, sensor.implausibleDue,
      suggestion.offer?.end, postureJudge.deadline(after: now),
      desktop.doubt.deadline(after: now),
    ]
    .compactMap { $0 }.filter { $0 > now && $0 < .never }.min()
  }

  private mutating func publish(_ decision: Decision, at now: Instant, _ actions: inout [Action]) {
    let status = status(decision, at: now)
    guard status != published else { return }
    published = status
    actions.append(.publish(status))
  }
}
