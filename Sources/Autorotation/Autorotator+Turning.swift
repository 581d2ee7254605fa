// SPDX-License-Identifier: MIT

// From the decision to the picture.
extension Autorotator {
  /// The output that is turned, while it is lit.
  var panel: Output? { panels.first(where: \.isActive) }

  var panels: [Output] { outputs.panels(chosen: settings.output) }

  func mount(of output: Output) -> PanelMount {
    settings.panelMount ?? output.mount
  }

  var focusedRule: Situation.FocusedRule? {
    guard let window = focus.window, let rule = settings.rules.rule(for: window) else { return nil }
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
    situation.requests = requests
    situation.lock = lock
    situation.hold = hold
    situation.asked = asked
    situation.laptopOrientation = laptopOrientation
    situation.posture = posture
    situation.device = device
    situation.baseline = baseline
    situation.shown = shown
    return situation
  }

  var decision: Decision { situation.decide() }

  /// Starts a turn if one is due and nothing stands in its way.
  mutating func turn(at now: Instant, _ actions: inout [Action]) {
    guard turning.phase == .idle, desktopTurns == nil else { return }
    guard let panel, !isDark else {
      turning.askedSince = nil
      return
    }
    let decision = decision
    let target = decision.orientation
    guard target != shown else {
      turning.askedSince = nil
      turning.failure = nil
      return
    }
    guard can(panel, show: target) else {
      turning.askedSince = nil
      return reportUnable(panel, to: target, &actions)
    }
    guard !turning.isBarred(target, at: now), turnWaitsUntil ?? now <= now else { return }
    begin(nextRotation(of: panel, to: target, because: decision.reasons), at: now, &actions)
  }

  func can(_ panel: Output, show orientation: InterfaceOrientation) -> Bool {
    panel.supportedTransforms.contains(DisplayTransform(showing: orientation, on: mount(of: panel)))
  }

  private mutating func reportUnable(
    _ panel: Output, to target: InterfaceOrientation, _ actions: inout [Action]
  ) {
    guard turning.reportedUnable != panel.name else { return }
    turning.reportedUnable = panel.name
    actions.append(.report(inability(of: panel, toShow: target), of: .fixedOutput))
  }

  func inability(of panel: Output, toShow target: InterfaceOrientation) -> Message {
    let isFixed = panel.supportedTransforms.isSubset(of: TransformSet(panel.transform))
    return Message(
      .outputFixed,
      isFixed
        ? "\(panel.name) cannot be turned: its graphics driver offers no rotation. "
          + "A newer kernel or another display driver may."
        : "\(panel.name) cannot be turned to \(target.word): its graphics driver does not offer that. "
          + "Leave it out of 'supported' in the settings to have the nearest instead.")
  }

  /// How long a turn that is decided has to wait, for a finger or for the sensor's first report.
  var turnWaitsUntil: Instant? {
    guard turning.phase == .idle, desktopTurns == nil, panel != nil, !isDark else { return nil }
    let decision = decision
    guard decision.orientation != shown else { return nil }
    let finger = touch.holdsUntil(asked: turning.askedSince)
    let sensor = decision.reasons.contains(.deviceKeeps(.unknown)) ? firstWordDue : nil
    return [finger, sensor].compactMap { $0 }.max()
  }

  private mutating func nextRotation(
    of panel: Output, to target: InterfaceOrientation, because reasons: [Reason]
  ) -> Rotation {
    turning.count += 1
    let size = panel.pictureSize(with: DisplayTransform(showing: target, on: mount(of: panel)))
    return Rotation(
      from: shown, to: target, output: panel.name, width: size.width, height: size.height,
      number: turning.count, because: reasons)
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
    guard let panel, panel.name == rotation.output, !isDark, desktopTurns == nil,
      decision.orientation == rotation.to, can(panel, show: rotation.to)
    else { return abandon(rotation, &actions) }
    let transform = DisplayTransform(showing: rotation.to, on: mount(of: panel))
    turning.phase = .applying(rotation, transform, due: now + Turning.applicationTime)
    actions.append(.apply(rotation, transform))
  }

  /// Whoever was told of the turn is told that it was cancelled: each willRotate is followed by a didRotate.
  mutating func abandon(_ rotation: Rotation, _ actions: inout [Action]) {
    turning.phase = .idle
    guard let output = outputs.first(where: { $0.name == rotation.output }) else {
      return actions.append(.didRotate(rotation.staying))
    }
    let (width, height) = output.pictureSize
    let stands = output.transform.orientation(on: mount(of: output))
    actions.append(
      .didRotate(
        Rotation(
          from: stands, to: stands, output: output.name, width: width, height: height,
          number: rotation.number)))
  }

  mutating func finished(_ rotation: Rotation, _ actions: inout [Action]) {
    guard case .applying(rotation, let transform, _) = turning.phase else { return finishedLate(rotation) }
    turning.phase = .idle
    turning.failure = nil
    turning.forgetTurns(before: rotation)
    stand(transform, on: rotation.output)
    actions.append(.didRotate(rotation))
  }

  /// A turn that was given up, and reported as cancelled, was made all the same; nobody asked for the result.
  private mutating func finishedLate(_ rotation: Rotation) {
    guard let (_, transform) = turning.forget(rotation) else { return }
    stand(transform, on: rotation.output)
  }

  private mutating func stand(_ transform: DisplayTransform, on output: String) {
    guard let index = outputs.firstIndex(where: { $0.name == output }) else { return }
    outputs[index].transform = transform
    guard let panel, panel.name == output, turning.rotation?.output != output else { return }
    shown = transform.orientation(on: mount(of: panel))
  }

  mutating func failed(_ rotation: Rotation, _ reason: Message, at now: Instant, _ actions: inout [Action]) {
    guard case .applying(rotation, _, _) = turning.phase else {
      turning.forget(rotation)
      return
    }
    abandon(rotation, &actions)
    // If another output is being turned by now, nobody is waiting for this one.
    guard let panel, panel.name == rotation.output else { return }
    shown = panel.transform.orientation(on: mount(of: panel))
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
    guard case .applying(rotation, let transform, _) = turning.phase else { return }
    giveUp(rotation, transform, reason, at: now, &actions)
  }

  private mutating func giveUp(
    _ rotation: Rotation, _ transform: DisplayTransform, _ reason: Message, at now: Instant,
    _ actions: inout [Action]
  ) {
    turning.waitNoLonger(for: rotation, transform)
    failed(rotation, reason, at: now, &actions)
  }

  /// A hook that takes too long is not waited for; a display system that does not answer has failed.
  mutating func expireTurning(at now: Instant, _ actions: inout [Action]) {
    switch turning.phase {
    case .preparing(_, let due) where due <= now: prepared(at: now, &actions)
    case .applying(let rotation, let transform, let due) where due <= now:
      let seconds = Turning.applicationTime.components.seconds
      let message = Message(
        .turnUnanswered, "The display system did not turn \(rotation.output) within \(seconds) s.")
      giveUp(rotation, transform, message, at: now, &actions)
    case .idle, .preparing, .applying: break
    }
  }

  /// After outputs were added, removed or changed, the display system or a program that keeps layouts (kanshi)
  /// needs a moment to rotate them as its files say.
  private static let layoutTime = Duration.seconds(2)

  mutating func outputsChanged(to new: [Output], at now: Instant, _ actions: inout [Action]) {
    let before = panel
    let isNewLayout = !outputs.isEmpty && layout(of: outputs) != layout(of: new)
    outputs = new
    if isNewLayout {
      turning.failure = nil
      layoutChangedAt = now
    }
    let isSettling = layoutChangedAt.map { now < $0 + Self.layoutTime } ?? false
    noticePicture(before: before, mayBeByHand: !isSettling && !isDark, &actions)
  }

  /// Everything but the panel's rotation. Nobody rotates two displays at once by hand.
  private func layout(of outputs: [Output]) -> [Output] {
    outputs.map { output in
      var output = output
      if output.name == panel?.name { output.transform = .none }
      return output
    }
  }

  /// Notes what the panel shows after it has changed.
  /// - Parameters:
  ///   - before: the output that was turned until now.
  ///   - mayBeByHand: whether only the rotation has changed, so that somebody rotated it with another program.
  mutating func noticePicture(
    before: Output?, mayBeByHand: Bool, _ actions: inout [Action]
  ) {
    let isAnother = before?.name != panel?.name
    if isAnother, case .preparing(let rotation, _) = turning.phase { abandon(rotation, &actions) }
    guard let panel else { return lostPanel(before, &actions) }
    if isAnother { focus.turns(panel.name) }
    // While it is being turned, the answer decides.
    guard turning.rotation?.output != panel.name else { return }
    let found = panel.transform.orientation(on: mount(of: panel))
    let isChanged = found != shown
    shown = found
    if desktopTurns != nil {
      baseline = found
    } else if isAnother {
      if heldLast == nil, lock == nil { baseline = found }
    } else if isChanged, mayBeByHand, decision.allowed.contains(found),
      !turning.mayStillShow(found, on: panel.name)
    {
      adopt(found, &actions)
    }
  }

  private mutating func lostPanel(_ before: Output?, _ actions: inout [Action]) {
    guard before != nil || turning.reportedUnable == nil, !outputs.isEmpty, panels.isEmpty else { return }
    turning.reportedUnable = ""
    let names = outputs.filter(\.isActive).map(\.name).joined(separator: ", ")
    let lit: Phrase = names.isEmpty ? "No display is lit." : "These are lit: \(names)."
    var message = Reason.noOutput(named: settings.output).message
    message.what = "\(message.what) \(lit)"
    actions.append(.report(message, of: .noOutput))
  }

  /// Offers the turn that a lock forbids, as Android does.
  mutating func suggest(_ actions: inout [Action]) {
    var offer: InterfaceOrientation?
    if settings.suggestsWhileLocked, lock != nil || hold != nil, let held = InterfaceOrientation(device),
      held != decision.orientation, decision.allowed.contains(held)
    {
      offer = held
    }
    guard offer != suggestion else { return }
    suggestion = offer
    actions.append(.suggest(offer))
  }
}
