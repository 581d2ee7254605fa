// SPDX-License-Identifier: MIT

/// The events that the program reacts to.
package enum Event: Equatable, Sendable {
  /// A sample of the sensors, in the panel's frame.
  case motion(MotionSample)
  /// A sensor that classifies itself (iio-sensor-proxy) reports the device orientation.
  case deviceRotated(DeviceOrientation)
  case sensorFound(name: String)
  case sensorLost(Message)

  /// The first finger came down on the touchscreen; the last one went up.
  case touchBegan, touchEnded
  /// The posture by the input devices, each time any of them changes.
  case postureEvidence(PostureEvidence)
  /// The posture by the hinge angle, each time it changes; `unknown` if it is not measured, uncertain in a pause.
  case hingeChanged(HingeReading)
  case focusChanged(Window?)
  /// All applications that report what they play, each time any of that changes; only while `needsPlayers`.
  case playersChanged([Player])
  case requestAdded(OrientationRequest)
  /// Requests released together.
  case requestsRemoved(ids: Set<UInt32>)

  case command(DaemonCommand)
  /// `saveLock` failed: a restart will restore another lock than the one in effect.
  case lockNotSaved(Message)
  /// The user declines the suggested rotation.
  case declineSuggestion
  /// The answer to `rotateOutput`.
  case outputAnswered(PanelRotation, failure: Message?)

  /// All displays, each time any of them changes.
  case outputsChanged([Output])
  /// The desktop rotates the screen, so autorotate must not; `nil` if it does not, or no longer does.
  case desktopRotates(Message?)
  /// The answer to `askDesktop`: whether the desktop keeps the orientation intentionally, such as by its own lock.
  case desktopAnswered(isIntentional: Bool)
  /// All hooks and clients that were notified by `willRotate` are ready.
  case readyToRotate(Rotation)
  /// The answers to `apply`. An answer names its rotation, so that a late one is not mistaken for an answer to the
  /// next. After a failure with the code `rotationUnanswered` the display system may still apply it when it recovers.
  case rotationFinished(Rotation)
  case rotationFailed(Rotation, Message)
  case displayPowerChanged(isOn: Bool)
  /// Whether this session is active. It is not while another user's session or a text console is.
  case sessionChanged(isActive: Bool)
  /// All names of each application that has a window open; `nil` if the display system does not list them.
  case windowsListed([[String]]?)

  case settingsChanged(Settings)
  case suspended
  case resumed
  /// `deadline` has come.
  case deadlineReached
}

/// The actions of the program.
package enum Action: Equatable, Sendable {
  case setSensor(SensorDemand)
  /// Notify hooks and clients before the rotation; answered by `readyToRotate`.
  case willRotate(Rotation)
  /// Answered by `rotationFinished` or `rotationFailed`, once, with the same rotation. All transforms are applied
  /// together, or none.
  /// - Parameter changes: of every active panel, also of those that already have the transform.
  case apply(Rotation, _ changes: [PanelRotation])
  /// Rotate an output besides the panels; answered by `outputAnswered`.
  case rotateOutput(PanelRotation)
  /// Keep these across a restart.
  case saveRotations([String: InterfaceOrientation])
  /// Follows each `willRotate`. If the rotation failed or was cancelled, it `isNone`.
  case didRotate(Rotation)
  /// Suggest a rotation to the user; `nil` withdraws the suggestion.
  case suggest(InterfaceOrientation?)
  case postureChanged(from: Posture, to: Posture)
  /// Ask the desktop why it does not rotate the screen; answered by `desktopAnswered`.
  case askDesktop
  /// The user asks for a rotation and nothing needs one: check touch, and switch on what a rotation left off.
  case repair
  /// Keep the lock across a restart, or remove it.
  case saveLock(InterfaceOrientation?)
  /// Keep across a restart the lock that was left in each posture.
  case savePostureLocks([Posture: PostureLock])
  /// Report it once to the user.
  /// - Parameter fault: the fault that it is about, if any. It lasts while `Status.reasons` contain it.
  case report(Message, of: Fault?)
  /// The last command cannot be carried out now, and is forgotten.
  case refuse(Message)
  case publish(Status)
}

/// A rotation of the screen, on all panels.
package struct Rotation: Equatable, Sendable {
  package var from: InterfaceOrientation
  package var to: InterfaceOrientation
  /// The outputs that rotate, in order; never empty.
  package var outputs: [String]
  /// Pixels of the first output after the rotation.
  package var width: Int
  package var height: Int
  /// Distinguishes it from another rotation between the same orientations.
  package var number: UInt64 = 0
  /// The reasons of the decision.
  package var reasons: [Reason] = []

  /// Whether the orientation stays as it was.
  package var isNone: Bool { from == to }

  /// The first output.
  package var output: String { outputs[0] }

  /// The same, reported as cancelled.
  var cancelled: Rotation {
    let isQuarter = from.quarterTurns(to: to) == 1
    return Rotation(
      from: from, to: from, outputs: outputs, width: isQuarter ? height : width,
      height: isQuarter ? width : height, number: number)
  }
}

/// The decisions of the program as one state machine that neither waits nor prints: events in, actions out.
///
/// A motion sample is classified first. Then: what is due, the event (`Autorotator+Events`), posture and playback, the
/// sensor (putting it to sleep changes the decision), the rotation (`Autorotator+Rotation`), the status.
package struct Autorotator: Sendable {
  var settings: Settings
  var displays = DisplayState()
  var progress = RotationProgress()
  /// Outputs besides the panels that the user has rotated.
  var kept: KeptRotations
  var sensor = SensorState()
  var postureResolver = PostureResolver()
  /// The last posture reported.
  package internal(set) var posture = Posture.unknown
  var locking: LockState
  var choice: UserChoice
  var applications = ApplicationState()
  var touch = TouchGuard()
  var desktop = DesktopRotation()
  var suggestion = Suggestion()
  private var published: Status?
  /// The actions for the event that is being handled, so far.
  var actions: [Action] = []
  /// Makes this type address-only, so that it is passed by its address. Swift 6.3 copies any other large struct to the
  /// stack, here 2.6 kB, for each call that only reads it.
  private let addressOnly: any Sendable = ()
  /// When `deadlineReached` is needed, if no other event comes before.
  package private(set) var deadline: Instant?

  /// - Parameters:
  ///   - lock: the saved lock.
  ///   - rotatedOutputs: the outputs besides the panels that the user had rotated.
  ///   - savedLocks: the lock that was left in each posture.
  package init(
    settings: Settings = Settings(), lock: InterfaceOrientation? = nil,
    rotatedOutputs: [String: InterfaceOrientation] = [:], savedLocks: [Posture: PostureLock] = [:]
  ) {
    self.settings = settings
    kept = KeptRotations(rotatedOutputs)
    locking = LockState(lock: lock.map { Lock(orientation: $0) }, savedLocks: savedLocks)
    choice = UserChoice(baseline: lock ?? .normal)
    postureResolver.choice = settings.tabletSwitch
    postureResolver.needsTabletShape = settings.needsTabletShape
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    if case .motion(let sample) = event, !add(sample, at: now), now < deadline ?? .never { return [] }
    actions = []
    let wasInvisible = isInvisible
    expire(at: now, before: event)
    applyEvent(event, at: now)
    updatePosture(at: now)
    followPlayback(at: now)
    if isInvisible != wasInvisible { visibilityChanged(at: now) }
    dropRequestMadeForAnotherApp()
    updateBaseline()
    var decision = decision
    if adjustSensor(decision, at: now) { decision = self.decision }
    checkDesktop(decision, at: now)
    startRotation(to: decision, at: now)
    rotateKeptOutputs()
    suggest(decision, at: now)
    publish(decision, at: now)
    deadline = nextDeadline(decision, after: now)
    return actions
  }

  /// Whether there is nothing to rotate, now or later: no panel, not even one that is off, or one that supports no
  /// rotation.
  package var hasNothingToRotate: Bool { panel == nil ? panels.isEmpty : !canRotate }

  /// Whether every active panel, and at least one, can be rotated.
  var canRotate: Bool {
    let active = activePanels
    return !active.isEmpty && !active.contains(where: \.isFixed)
  }

  /// With each event, since what the user chose may end without a rotation of the device. A laptop that is folded back
  /// while it lies flat keeps its laptop orientation.
  private mutating func updateBaseline() {
    guard !isChosen else { return }
    if let laptopOrientation {
      choice.baseline = laptopOrientation
    } else if desktop.rotationReason == nil, let upright = InterfaceOrientation(device) {
      choice.baseline = upright
    }
  }

  /// The panel's aspect in normal orientation; `nil` without a panel.
  package var naturalAspect: PanelAspect? { panel?.naturalAspect }

  private func nextDeadline(_ decision: Decision, after now: Instant) -> Instant? {
    [
      locking.end, locking.relock?.due, applications.focus.changesAt, applications.playback.endsAt,
      progress.deadline, waitEnd(of: decision), sensor.firstReportDue, sensor.implausibleDue,
      suggestion.end, postureResolver.deadline(after: now),
      desktop.deadline(after: now),
    ]
    .compactMap { $0 }.filter { $0 > now && $0 < .never }.min()
  }

  private mutating func publish(_ decision: Decision, at now: Instant) {
    let status = status(decision, at: now)
    guard status != published else { return }
    published = status
    actions.append(.publish(status))
  }
}
