// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// Invariants that hold for any events in any order.
struct FuzzTests {
  @Test(arguments: UInt64(0)..<4)
  func `any events in any order keep the invariants`(_ seed: UInt64) {
    var events = RandomEvents(seed: seed)
    let watched = WatchedAutorotator()
    for number in 0..<50_000 {
      let step = events.chance(3) ? 0 : Int64.random(in: 0..<400_000_000, using: &events.random)
      watched.advance(by: step)
      // Samples carry the time of their measurement, which may be before later events.
      let delay = events.chance(4) ? Int64.random(in: 0..<200_000_000, using: &events.random) : 0
      let event = events.next(at: watched.now, asked: watched.asked)
      watched.handle(event, late: delay)
      if watched.failure != nil {
        Issue.record("seed \(seed), event \(number): \(watched.failure ?? "")")
        return
      }
    }
    #expect(watched.rotations > 100, "a fuzz without rotations tests nothing")
  }

  /// Many short runs, so that the start is tested in every state of the world.
  @Test func `any start keeps the invariants`() {
    for seed in UInt64(100)..<2_100 {
      var events = RandomEvents(seed: seed)
      let lock = events.chance(3) ? InterfaceOrientation.left : nil
      let watched = WatchedAutorotator(settings: events.changedSettings(), lock: lock)
      for _ in 0..<25 {
        watched.advance(by: Int64.random(in: 0..<1_000_000_000, using: &events.random))
        watched.handle(
          events.next(at: watched.now, asked: watched.asked))
      }
      watched.settleDown()
      #expect(watched.failure == nil, "seed \(seed)")
    }
  }
}

/// Checks everything that an Autorotator does.
final class WatchedAutorotator {
  private(set) var now = Instant(nanoseconds: 0)
  private(set) var rotations = 0
  /// The first violated invariant.
  private(set) var failure: String?

  private var machine: Autorotator
  private var settings: Settings
  private var outputs: [Output] = []
  private var isDisplayOn = true
  private var isSessionActive = true
  private var isSuspended = false
  private var published: Status?
  private var demand = SensorDemand.off
  private var suggestion: InterfaceOrientation?
  /// Announced, but not yet sent to the display system.
  private var announced: Rotation?
  /// Sent to the display system, which has not answered until `due`.
  private var sent: (rotation: Rotation, due: Instant)?
  /// The last rotation that others were asked about: some answer late, and some twice.
  private(set) var asked: Rotation?

  init(settings: Settings = Settings(), lock: InterfaceOrientation? = nil) {
    self.settings = settings
    machine = Autorotator(settings: settings, lock: lock)
  }

  /// Lets time pass, with every deadline at its moment.
  func advance(by nanoseconds: Int64) {
    let end = Instant(nanoseconds: now.nanoseconds + nanoseconds)
    while let deadline = machine.deadline, deadline <= end, failure == nil {
      // It may have passed already because of a late sample, but it may not stay.
      now = max(now, deadline)
      handle(.deadlineReached)
      check(machine.deadline.map { $0 > now } ?? true, "the deadline \(deadline) stays")
    }
    now = end
  }

  func handle(_ event: Event, late delay: Int64 = 0) {
    let isSample = if case .motion = event { true } else { false }
    let time = isSample ? Instant(nanoseconds: now.nanoseconds - delay) : now
    if case .settingsChanged(let new) = event { settings = new }
    updateDisplays(event)
    if let sent, sent.due <= now { self.sent = nil }
    let actions = machine.handle(event, at: time)
    if isAnswer(event) { answer(event, actions) }
    for action in actions { checkAction(action) }
    checkState()
  }

  private func updateDisplays(_ event: Event) {
    switch event {
    case .outputsChanged(let new): outputs = new
    case .displayPowerChanged(let isOn): isDisplayOn = isOn
    case .sessionChanged(let isActive): isSessionActive = isActive
    case .suspended: isSuspended = true
    case .resumed: isSuspended = false
    default: break
    }
  }

  /// Once everybody answers and nothing more happens, the screen orientation is allowed and nothing is awaited.
  func settleDown() {
    for event: Event in [
      .desktopRotates(nil), .touchEnded, .displayPowerChanged(isOn: true), .sessionChanged(isActive: true),
      .resumed,
    ] {
      handle(event)
    }
    for _ in 0..<100 {
      if let announced, sent == nil { handle(.readyToRotate(announced)) }
      if let sent { handle(.rotationFinished(sent.rotation)) }
      advance(by: 1_000_000_000)
    }
    check(machine.deadline == nil, "still waits for \(String(describing: machine.deadline))")
    handle(.requestAdded(.init(id: 99, mask: [.all], application: "the test", why: "to have it published")))
    guard let status = published else { return }
    let isUnable = status.reasons.contains { reason in
      switch reason {
      case .noOutputReported, .noOutput, .panelIsOff, .outputCannotRotate, .lastRotationFailed: true
      default: false
      }
    }
    check(
      isUnable || status.allowed.contains(status.interface), "\(status.interface) is shown, but not allowed")
  }

  private func isAnswer(_ event: Event) -> Bool {
    guard let sent else { return false }
    return event == .rotationFinished(sent.rotation) || event == .rotationFailed(sent.rotation, "No.")
      || event == .rotationFailed(sent.rotation, Message(.rotationUnanswered, "Silence."))
  }

  /// A rotation that finished or failed is reported, unless it was given up before.
  private func answer(_ event: Event, _ actions: [Action]) {
    defer { sent = nil }
    let reported = actions.contains { if case .didRotate = $0 { true } else { false } }
    check(reported || sent == nil, "\(event), but no didRotate")
  }

  private func checkAction(_ action: Action) {
    switch action {
    case .willRotate(let rotation):
      check(sent == nil, "a rotation is announced while one is under way")
      check(announced == nil, "a rotation is announced, but the last one was not reported to be over")
      announced = rotation
      asked = rotation
    case .apply(let rotation, let rotations):
      check(rotation == announced, "\(rotation) is made, but announced was \(String(describing: announced))")
      checkRotation(rotations)
    case .didRotate(let rotation):
      let isAnswer = rotation == announced || rotation.isNone && rotation.output == announced?.output
      check(isAnswer, "did \(rotation), but will \(String(describing: announced))")
      announced = nil
    case .publish(let status):
      check(status != published, "the same status is published twice")
      let texts = status.reasons.map { $0.message(on: nil).description }
      check(!texts.isEmpty && !texts.contains(""), "no reasons")
      published = status
    case .setSensor(let new):
      check(new != demand, "the sensor is set to \(new) twice")
      demand = new
    case .postureChanged(let before, let now): check(before != now, "the posture changes to what it is")
    case .suggest(let new):
      check(new != suggestion, "\(String(describing: new)) is suggested twice")
      suggestion = new
    case .report(let message, _): check(!message.description.isEmpty, "an empty message")
    case .refuse(let phrase): check(!phrase.description.isEmpty, "refused without a reason")
    case .saveLock, .savePostureLocks, .saveRotations, .rotateOutput, .askDesktop, .repair: break
    }
  }

  private func checkRotation(_ all: [PanelRotation]) {
    check(isDisplayOn && isSessionActive && !isSuspended, "a rotation while the screen is off")
    rotations += 1
    check(sent == nil, "two rotations are under way")
    check(announced != nil, "a rotation that was not announced")
    for change in all {
      let output = outputs.first { $0.name == change.output }
      check(output?.isActive == true, "\(change.output) is off or gone, but is rotated")
      check(
        output?.supportedTransforms.contains(change.transform) == true,
        "\(change.output) cannot do \(change.transform)")
    }
    sent = announced.map { ($0, now + .seconds(5)) }
    asked = announced ?? asked
  }

  private func checkState() {
    guard let status = published else { return }
    check(!status.allowed.isEmpty, "nothing is allowed")
    if (status.lock != nil || status.isPaused), !settings.suggestsWhileLocked {
      check(demand == .off, "the sensor is awake while locked")
    }
    if !isDisplayOn || !isSessionActive || isSuspended {
      check(demand == .off, "the sensor is awake while the screen is off")
    }
    if status.outputs.isEmpty { check(demand == .off, "the sensor is awake without a panel") }
    if suggestion != nil { check(status.lock != nil || status.isPaused, "a suggestion while not locked") }
    checkLock(status)
  }

  /// A lock that overrides applications is shown, as soon as there is no obstacle.
  private func checkLock(_ status: Status) {
    guard let lock = status.lock, settings.lockOverApps, status.allowed.contains(lock.orientation) else {
      return
    }
    let obstacles = status.reasons.contains { reason in
      switch reason {
      case .displayIsOff, .sessionIsInactive, .suspended, .desktopRotates: true
      case .waitsForFinger, .rotating, .noOutputReported, .noOutput, .panelIsOff: true
      case .outputCannotRotate, .lastRotationFailed: true
      default: false
      }
    }
    if !obstacles {
      check(
        status.interface == lock.orientation,
        "locked to \(lock.orientation), but \(status.interface) is shown")
    }
  }

  private func check(_ isSo: Bool, _ text: @autoclosure () -> String) {
    if !isSo, failure == nil { failure = text() }
  }
}
