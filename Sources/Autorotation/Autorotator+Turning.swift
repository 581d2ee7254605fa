// SPDX-License-Identifier: MIT

// From what is decided to a picture that stands so.
extension Autorotator {
  /// The output that is turned: the person's choice, else the built-in panel, else the only one there is.
  var panel: Output? {
    let lit = outputs.filter(\.isActive)
    if let name = settings.output { return lit.first { $0.name == name } }
    return lit.first(where: \.isBuiltIn) ?? (lit.count == 1 ? lit.first : nil)
  }

  private func mount(of output: Output) -> PanelMount {
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
    situation.resting = resting
    situation.shown = shown
    return situation
  }

  var decision: Decision { situation.decide() }

  /// Starts a turn if one is due and nothing stands in its way.
  mutating func turn(at now: Instant, _ actions: inout [Action]) {
    guard turning.phase == .idle, let panel else { return }
    let target = decision.orientation
    guard target != shown else {
      turning.askedSince = nil
      turning.failure = nil
      return
    }
    guard can(panel, show: target) else { return reportUnable(panel, &actions) }
    guard !turning.isBarred(target, at: now), turnWaitsUntil ?? now <= now else { return }
    begin(rotation(of: panel, to: target), at: now, &actions)
  }

  func can(_ panel: Output, show orientation: InterfaceOrientation) -> Bool {
    panel.supportedTransforms.contains(DisplayTransform(showing: orientation, on: mount(of: panel)))
  }

  private mutating func reportUnable(_ panel: Output, _ actions: inout [Action]) {
    guard turning.reportedUnable != panel.name else { return }
    turning.reportedUnable = panel.name
    let text =
      "\(panel.name) cannot be turned: its graphics driver offers no rotation. "
      + "A newer kernel or another display driver may."
    actions.append(.report(Notice(.warning, text)))
  }

  /// Until when a turn that is decided has to wait, for a finger or for the sensor's first word.
  var turnWaitsUntil: Instant? {
    guard turning.phase == .idle, panel != nil else { return nil }
    let decision = decision
    guard decision.orientation != shown else { return nil }
    let finger = touch.holdsUntil(asked: turning.askedSince)
    let sensor = decision.reasons.contains(.deviceKeeps(.unknown)) ? firstWordDue : nil
    return [finger, sensor].compactMap { $0 }.max()
  }

  private func rotation(of panel: Output, to target: InterfaceOrientation) -> Rotation {
    let size = panel.pictureSize(with: DisplayTransform(showing: target, on: mount(of: panel)))
    return Rotation(from: shown, to: target, output: panel.name, width: size.width, height: size.height)
  }

  private mutating func begin(_ rotation: Rotation, at now: Instant, _ actions: inout [Action]) {
    turning.phase = .preparing(rotation, due: now + Turning.preparationTime)
    turning.askedSince = nil
    actions.append(.willRotate(rotation))
  }

  mutating func prepared(at now: Instant, _ actions: inout [Action]) {
    guard case .preparing(let rotation, _) = turning.phase, let panel else { return }
    let transform = DisplayTransform(showing: rotation.to, on: mount(of: panel))
    turning.phase = .applying(rotation, due: now + Turning.applicationTime)
    actions.append(.apply(transform, output: rotation.output))
  }

  mutating func finished(_ actions: inout [Action]) {
    guard case .applying(let rotation, _) = turning.phase else { return }
    turning.phase = .idle
    turning.failure = nil
    shown = rotation.to
    if let index = outputs.firstIndex(where: { $0.name == rotation.output }) {
      outputs[index].transform = DisplayTransform(showing: rotation.to, on: mount(of: outputs[index]))
    }
    actions.append(.didRotate(rotation))
  }

  mutating func failed(_ reason: String, at now: Instant, _ actions: inout [Action]) {
    guard let rotation = turning.rotation else { return }
    turning.fail(rotation, reason: reason, at: now)
    if let panel { shown = panel.transform.orientation(on: mount(of: panel)) }
    if turning.failure?.attempts == 1 {
      actions.append(.report(Notice(.warning, reason)))
    }
  }

  /// A hook that takes too long is overtaken; a display system that does not answer has failed.
  mutating func expireTurning(at now: Instant, _ actions: inout [Action]) {
    switch turning.phase {
    case .preparing(_, let due) where due <= now: prepared(at: now, &actions)
    case .applying(let rotation, let due) where due <= now:
      failed("The display system did not turn \(rotation.output) within 5 s.", at: now, &actions)
    case .idle, .preparing, .applying: break
    }
  }

  mutating func outputsChanged(to new: [Output], _ actions: inout [Action]) {
    let before = panel
    let isNewLayout = outputs.map(\.place) != new.map(\.place)
    outputs = new
    guard let panel else { return lostPanel(before, &actions) }
    if isNewLayout { turning.failure = nil }
    guard turning.phase == .idle || before?.name != panel.name else { return }
    turning.phase = .idle
    let found = panel.transform.orientation(on: mount(of: panel))
    guard found != shown || before?.name != panel.name else { return }
    shown = found
    if before == nil || before?.name != panel.name {
      if device == .unknown, lock == nil { resting = found }
    } else if !isNewLayout {
      // Nothing but the turn has changed, so somebody turned it by hand with another program.
      adopt(found, &actions)
    }
  }

  private mutating func lostPanel(_ before: Output?, _ actions: inout [Action]) {
    turning.phase = .idle
    guard before != nil || turning.reportedUnable == nil, !outputs.isEmpty else { return }
    turning.reportedUnable = ""
    let names = outputs.filter(\.isActive).map(\.name).joined(separator: ", ")
    let text =
      "No built-in panel is lit, so nothing is turned. Lit are: \(names.isEmpty ? "none" : names). "
      + "Use --output NAME to turn one of them."
    actions.append(.report(Notice(.warning, text)))
  }

  /// Offers the turn that a lock forbids, as Android does.
  mutating func suggest(_ actions: inout [Action]) {
    var offer: InterfaceOrientation?
    if settings.suggestsWhileLocked, lock != nil || hold != nil, let held = InterfaceOrientation(device),
      held != shown, decision.allowed.contains(held)
    {
      offer = held
    }
    guard offer != suggestion else { return }
    suggestion = offer
    actions.append(.suggest(offer))
  }
}

extension Output {
  /// All but the turn.
  fileprivate var place: Output {
    var place = self
    place.transform = .none
    return place
  }
}
