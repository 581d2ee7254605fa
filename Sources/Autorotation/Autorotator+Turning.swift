// SPDX-License-Identifier: MIT

// From the decision to the picture.
extension Autorotator {
  var focusedRule: Situation.FocusedRule? {
    guard let window = applications.focus.window,
      let rule = settings.rules.rule(for: window, in: posture, isPlaying: applications.playback.isPlaying)
    else { return nil }
    return .init(application: window.identifiers.first ?? "The application", rule: rule)
  }

  var laptopOrientation: InterfaceOrientation? {
    settings.rotateIn == .tablet && !posture.countsAsTablet ? settings.laptopOrientation : nil
  }

  package var situation: Situation {
    var situation = Situation()
    if var panel {
      panel.mount = mount(of: panel)
      situation.naturalAspect = panel.naturalAspect
    }
    situation.supported = settings.supported
    situation.lockOverApps = settings.lockOverApps
    situation.focused = focusedRule
    situation.awaitingPlay = ruleAwaitingPlay
    situation.requests = applications.requestsInForce
    situation.requestsBehind = applications.requestsBehind
    situation.lock = locking.lock
    situation.hold = choice.paused
    situation.asked = choice.asked
    situation.laptopOrientation = laptopOrientation
    situation.external = externalInTheWay
    situation.posture = posture
    situation.device = device
    situation.baseline = choice.baseline
    situation.shown = displays.shown
    return situation
  }

  var decision: Decision { situation.decide() }

  /// Starts a turn if one is due and nothing stands in its way.
  mutating func turn(to decision: Decision, at now: Instant, _ actions: inout [Action]) {
    guard turning.phase == .idle, desktop.rotates == nil else { return }
    guard panel != nil, !isDark else {
      turning.askedSince = nil
      return
    }
    let target = decision.orientation
    guard !isShown(target) else {
      turning.askedSince = nil
      turning.failure = nil
      return
    }
    if let unable = panel(unableToShow: target) {
      turning.askedSince = nil
      return reportUnable(unable, to: target, &actions)
    }
    guard !turning.isBarred(target, at: now), waitEnd(of: decision) ?? now <= now else { return }
    begin(nextRotation(to: target, because: decision.reasons), at: now, &actions)
  }

  /// How long a turn that is decided has to wait, for a finger or for the first report of the sensor or of the focused
  /// window.
  func waitEnd(of decision: Decision) -> Instant? {
    guard turning.phase == .idle, desktop.rotates == nil, panel != nil, !isDark else { return nil }
    guard !isShown(decision.orientation) else { return nil }
    let finger = touch.holdsUntil(asked: turning.askedSince)
    let report = decision.reasons.contains(.deviceKeeps(.unknown)) ? sensor.firstReportDue : nil
    let focused = focusedAppMatters ? applications.focus.firstReportDue : nil
    return [finger, report, focused].compactMap { $0 }.max()
  }

  private var focusedAppMatters: Bool {
    !settings.rules.isEmpty && !(locking.lock != nil && settings.lockOverApps)
  }

  /// There is one that stands otherwise.
  private mutating func nextRotation(to target: InterfaceOrientation, because reasons: [Reason]) -> Rotation {
    turning.count += 1
    let lit = litPanels
    let turned = displays.shown == target ? lit.filter { standing($0) != target } : lit
    let size = turned[0].pictureSize(with: transform(of: turned[0], toShow: target))
    return Rotation(
      from: displays.shown == target ? standing(turned[0]) : displays.shown, to: target,
      output: turned[0].name,
      others: turned.dropFirst().map(\.name), width: size.width, height: size.height, number: turning.count,
      because: reasons)
  }

  private mutating func begin(_ rotation: Rotation, at now: Instant, _ actions: inout [Action]) {
    turning.phase = .preparing(rotation, due: now + Turning.preparationTime)
    turning.askedSince = nil
    turning.wentDark = false
    actions.append(.willRotate(rotation))
  }

  /// Turns, unless the decision or the displays have changed since the turn was announced.
  mutating func prepared(at now: Instant, _ actions: inout [Action]) {
    guard case .preparing(let rotation, _) = turning.phase else { return }
    guard isFirst(rotation), !isDark, desktop.rotates == nil, decision.orientation == rotation.to,
      panel(unableToShow: rotation.to) == nil
    else { return abandon(rotation, &actions) }
    let turns = litPanels.map { PanelTurn($0.name, to: transform(of: $0, toShow: rotation.to)) }
    turning.phase = .applying(rotation, turns, due: now + Turning.applicationTime)
    actions.append(.apply(rotation, turns))
  }

  /// Whether what was told of a turn is still so: the picture whose size was told has not gone.
  private func isFirst(_ rotation: Rotation) -> Bool {
    litPanels.contains { $0.name == rotation.output }
  }

  /// Whoever was told of the turn is told that it was cancelled: each willRotate is followed by a didRotate.
  mutating func abandon(_ rotation: Rotation, _ actions: inout [Action]) {
    turning.phase = .idle
    guard let output = displays[rotation.output] else {
      return actions.append(.didRotate(rotation.staying))
    }
    let (width, height) = output.pictureSize
    let stands = standing(output)
    actions.append(
      .didRotate(
        Rotation(
          from: stands, to: stands, output: output.name, others: rotation.others, width: width,
          height: height,
          number: rotation.number)))
  }

  mutating func finished(_ rotation: Rotation, _ actions: inout [Action]) {
    guard case .applying(rotation, let turns, _) = turning.phase else { return finishedLate(rotation) }
    turning.phase = .idle
    turning.failure = nil
    turning.forgetTurns(before: rotation)
    turns.forEach { stand($0) }
    actions.append(.didRotate(rotation))
    lockAgain(&actions)
  }

  /// A turn that was given up, and reported as cancelled, was made all the same; nobody asked for the result.
  private mutating func finishedLate(_ rotation: Rotation) {
    turning.forget(rotation)?.forEach { stand($0) }
  }

  private mutating func stand(_ turn: PanelTurn) {
    displays.apply(turn)
    guard let panel, panel.name == turn.output, !isTurning(panel) else { return }
    displays.shown = standing(panel)
  }

  mutating func failed(_ rotation: Rotation, _ reason: Message, at now: Instant, _ actions: inout [Action]) {
    guard case .applying(rotation, _, _) = turning.phase else {
      turning.forget(rotation)
      return
    }
    abandon(rotation, &actions)
    // If other outputs are being turned by now, nobody is waiting for this one.
    guard let panel, litPanels.contains(where: { rotation.turns($0.name) }) else { return }
    displays.shown = standing(panel)
    if !isDark, !turning.wentDark { turning.fail(rotation, reason: reason, at: now) }
  }

  mutating func reportFailure(at now: Instant, _ actions: inout [Action]) {
    guard let failure = turning.failure, let due = failure.reportAt, due <= now else { return }
    turning.failure?.reportAt = nil
    actions.append(.report(failure.reason, of: .turningFailed))
  }

  /// If the turn was given up before, it is already known that it may still come.
  mutating func unanswered(
    _ rotation: Rotation, _ reason: Message, at now: Instant, _ actions: inout [Action]
  ) {
    guard case .applying(rotation, let turns, _) = turning.phase else { return }
    giveUp(rotation, turns, reason, at: now, &actions)
  }

  private mutating func giveUp(
    _ rotation: Rotation, _ turns: [PanelTurn], _ reason: Message, at now: Instant,
    _ actions: inout [Action]
  ) {
    turning.waitNoLonger(for: rotation, turns)
    failed(rotation, reason, at: now, &actions)
  }

  /// A hook that takes too long is not waited for; a display system that does not answer has failed.
  mutating func expireTurning(at now: Instant, _ actions: inout [Action]) {
    switch turning.phase {
    case .preparing(_, let due) where due <= now: prepared(at: now, &actions)
    case .applying(let rotation, let turns, let due) where due <= now:
      let seconds = Turning.applicationTime.components.seconds
      let message = Message(
        .turnUnanswered, "The display system did not turn \(rotation.output) within \(seconds) s.")
      giveUp(rotation, turns, message, at: now, &actions)
    case .idle, .preparing, .applying: break
    }
  }

  /// After outputs were added, removed or changed, the display system or a program that keeps layouts (kanshi)
  /// needs a moment to rotate them as its files say.
  private static let layoutTime = Duration.seconds(2)

  mutating func outputsChanged(to new: [Output], at now: Instant, _ actions: inout [Action]) {
    let before = litPanels
    let all = displays.outputs
    let isNewLayout = !displays.outputs.isEmpty && layout(of: displays.outputs) != layout(of: new)
    let mount = sensorMount
    displays.outputs = new
    sensorRemounted(from: mount)
    if isNewLayout {
      turning.failure = nil
      displays.layoutChangedAt = now
      kept.tryAgain()
    }
    let isSettling = displays.layoutChangedAt.map { now < $0 + Self.layoutTime } ?? false
    noticeKept(before: all, mayBeByHand: !isSettling, &actions)
    reportNotRestored(before: all, &actions)
    noticePicture(before: before, mayBeByHand: !isSettling && !isDark, &actions)
  }

  /// Everything but the rotation of the panels and of what a person has turned. Nobody rotates another display along
  /// with them by hand.
  private func layout(of outputs: [Output]) -> [Output] {
    let names = litPanels.map(\.name) + kept.names
    return outputs.map { output in
      var output = output
      if names.contains(output.name) { output.transform = .none }
      return output
    }
  }

  /// Notes what the panel shows after it has changed.
  /// - Parameters:
  ///   - before: the outputs that were turned until now.
  ///   - mayBeByHand: whether only the rotation has changed, so that somebody rotated it with another program.
  mutating func noticePicture(
    before: [Output], mayBeByHand: Bool, _ actions: inout [Action]
  ) {
    let isAnother = before.first?.name != panel?.name
    if isAnother, case .preparing(let rotation, _) = turning.phase { abandon(rotation, &actions) }
    let names = litPanels.map(\.name)
    reportMissing(&actions)
    guard let panel else { return lostPanel(before.first, &actions) }
    if before.map(\.name) != names { applications.focus.turns(names) }
    // While it is being turned, the answer decides.
    guard !isTurning(panel) else { return }
    let found =
      standing(panel) == displays.shown ? standingAnew(since: before) ?? displays.shown : standing(panel)
    let isChanged = found != displays.shown
    displays.shown = standing(panel)
    if let reason = desktop.rotates {
      choice.baseline = found
      if isChanged, !isAnother {
        desktop.doubt.pictureTurned(by: reason, asHeld: found == InterfaceOrientation(device))
      }
    } else if isAnother {
      if sensor.lastUpright == nil, locking.lock == nil { choice.baseline = found }
    } else if isChanged, mayBeByHand, decision.allowed.contains(found),
      !turning.mayStillShow(found, on: panel.name)
    {
      adopt(found, &actions)
    }
  }

  private mutating func lostPanel(_ before: Output?, _ actions: inout [Action]) {
    guard before != nil || turning.reportedUnable == nil, !displays.outputs.isEmpty, panels.isEmpty else {
      return
    }
    turning.reportedUnable = ""
    let names = displays.outputs.filter(\.isActive).map(\.name).joined(separator: ", ")
    let lit: Phrase = names.isEmpty ? "No display is lit." : "These are lit: \(names)."
    var message = Reason.noOutput(named: settings.output).message
    message.what = "\(message.what) \(lit)"
    actions.append(.report(message, of: .noOutput))
  }

  /// Offers the turn that a lock forbids, as Android does.
  mutating func suggest(_ decision: Decision, at now: Instant, _ actions: inout [Action]) {
    guard suggestion.update(forbiddenByLock(decision), at: now) else { return }
    actions.append(.suggest(suggestion.published))
  }

  private func forbiddenByLock(_ decision: Decision) -> InterfaceOrientation? {
    guard settings.suggestsWhileLocked, locking.lock != nil || choice.paused != nil,
      let held = InterfaceOrientation(device), held != decision.orientation, decision.allowed.contains(held)
    else { return nil }
    return held
  }
}
