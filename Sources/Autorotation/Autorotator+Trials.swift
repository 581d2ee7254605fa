// SPDX-License-Identifier: MIT

// Turns that a person is asked to confirm.
extension Autorotator {
  /// What a turn that is made becomes: one on trial, or one that is known to be good.
  mutating func judge(_ rotation: Rotation, _ actions: inout [Action]) {
    let isByHand = trials.byHand == rotation.to
    trials.byHand = nil
    judge(
      [rotation.output] + rotation.others, rotation.to, from: rotation.from, isByHand: isByHand, &actions)
  }

  private mutating func judge(
    _ outputs: [String], _ shown: InterfaceOrientation, from before: InterfaceOrientation, isByHand: Bool,
    _ actions: inout [Action]
  ) {
    let earlier = trials.pending.flatMap { $0.outputs == outputs ? $0 : nil }
    let back = earlier?.back ?? before
    let isNew = trials.isNew(shown, on: outputs, isByHand: isByHand, settings.confirmTurns)
    guard shown != back, isNew else {
      endTrial(&actions)
      return prove(shown, on: outputs, &actions)
    }
    actions.append(.saveProven(trials.proven))
    actions.append(.askToKeep(trials.begin(on: outputs, to: shown, back: back)))
  }

  private mutating func prove(
    _ orientation: InterfaceOrientation, on outputs: [String], _ actions: inout [Action]
  ) {
    if trials.prove(orientation, on: outputs) { actions.append(.saveProven(trials.proven)) }
  }

  /// The question is withdrawn, and says nothing of the turn.
  mutating func endTrial(_ actions: inout [Action]) {
    guard trials.pending != nil else { return }
    trials.end()
    actions.append(.askToKeep(nil))
  }

  mutating func answer(_ trial: Trial, keeps: Bool, at now: Instant, _ actions: inout [Action]) {
    guard trial == trials.pending else { return }
    if keeps { keepTrial(&actions) } else { takeBack(at: now, &actions) }
  }

  mutating func keepTrial(_ actions: inout [Action]) {
    guard let trial = trials.pending else { return }
    endTrial(&actions)
    prove(trial.to, on: trial.outputs, &actions)
  }

  mutating func expireTrial(at now: Instant, _ actions: inout [Action]) {
    guard let trial = trials.pending, let due = trials.due, due <= now else { return }
    let outputs = trial.outputs.joined(separator: ", ")
    actions.append(
      .report(
        Message(
          .turnNotKept,
          "Nobody has kept the turn of \(outputs) to \(trial.to.word), so it goes back to \(trial.back.word).",
          next: "to be asked again, use --rotate \(trial.to.word); not to be asked, set confirm = \"never\" "
            + "in the [display] settings"),
        of: nil))
    takeBack(at: now, &actions)
  }

  private mutating func takeBack(at now: Instant, _ actions: inout [Action]) {
    guard let trial = trials.pending else { return }
    endTrial(&actions)
    guard isOfPanels(trial.outputs.first) else { return takeBackKept(trial, &actions) }
    forget(trial, &actions)
    personAsks(at: now)
    trials.takenBack = trial
  }

  /// Nobody wants any more what was wanted.
  private mutating func forget(_ trial: Trial, _ actions: inout [Action]) {
    baseline = trial.back
    if asked == trial.to { asked = nil }
    if hold == trial.to { hold = trial.back }
    if let lock, lock.orientation == trial.to { set(lock.moved(to: trial.back), &actions) }
  }

  private mutating func takeBackKept(_ trial: Trial, _ actions: inout [Action]) {
    for name in trial.outputs { kept.set(name, to: trial.back) }
    actions.append(.saveTurns(kept.orientations))
  }

  /// Who asks again for what is on trial, or locks it, sees it.
  mutating func askedByHand(for orientation: InterfaceOrientation, _ actions: inout [Action]) {
    if let trial = trials.pending, trial.to == orientation, isOfPanels(trial.outputs.first) {
      keepTrial(&actions)
    } else {
      trials.byHand = orientation
    }
  }

  /// A picture that is gone need not be kept.
  mutating func reviewTrial(_ actions: inout [Action]) {
    guard let trial = trials.pending, turning.phase == .idle else { return }
    let turned = outputs.filter { trial.outputs.contains($0.name) && $0.isActive }
    if turned.isEmpty || turned.contains(where: { orientation(of: $0) != trial.to }) { endTrial(&actions) }
  }

  /// What is shown at first is no trial.
  mutating func seeOutputs() {
    for output in outputs where output.isActive { trials.see(output.name, showing: orientation(of: output)) }
  }

  /// An output that was turned by name is shown as it was asked for.
  mutating func judgeKept(_ turn: PanelTurn, from before: DisplayTransform, _ actions: inout [Action]) {
    guard let output = outputs.first(where: { $0.name == turn.output }) else { return }
    let now = orientation(of: output)
    let isByHand = trials.byHandElsewhere.removeValue(forKey: turn.output) == now
    judge([turn.output], now, from: before.orientation(on: output.mount), isByHand: isByHand, &actions)
  }

  /// A mount in the settings is that of the panels.
  private func orientation(of output: Output) -> InterfaceOrientation {
    isOfPanels(output.name) ? standing(output) : output.transform.orientation(on: output.mount)
  }
}
