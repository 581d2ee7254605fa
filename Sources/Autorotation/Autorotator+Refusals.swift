// SPDX-License-Identifier: MIT

// Commands that cannot be carried out now are refused with a reason and forgotten, so that nothing happens by surprise
// later.
extension Autorotator {
  /// - Returns: `nil` if the event is no command, or one that can be carried out.
  func refusal(of event: Event) -> Message? {
    switch event {
    case .command(.rotate(let target, let output?)) where !isPanel(output): refusal(toRotate: output, target)
    case .command(.rotate(_, let output?)) where displays.active(output) == nil:
      displays[output]?.switchOnFailure
        ?? Message(.outputBlanked, "\(output) is off, so it is not rotated", next: "switch it on first")
    case .command(.rotate(let target, _)): refusal(toShow: resolved(target))
    case .command(.acceptSuggestion): suggestion.published.map(refusal(toShow:)) ?? nothingOffered
    case .command(.lock(_, .focus(let application)?)):
      desktop.rotationReason ?? refusal(toLockWhile: application)
    case .command(.lock), .command(.hold(true)): desktop.rotationReason
    case .command(.toggleLock) where locking.lock == nil: desktop.rotationReason
    default: nil
    }
  }

  private func refusal(toShow orientation: InterfaceOrientation) -> Message? {
    if let reason = desktop.rotationReason { return reason }
    let decision = decision
    guard decision.allowed.contains(orientation) else {
      let refusal: Phrase =
        "Not allowed now: \(orientation.name(on: naturalAspect)). Allowed: \(decision.allowed.names(on: naturalAspect))."
      let reasons = decision.reasons.filter(\.isRestriction).map { $0.message(on: naturalAspect).phrase }
      return Message(.notAllowed, reasons.reduce(refusal) { "\($0) \($1)" })
    }
    // Before the displays are known, and while the screen is not visible, the target is remembered.
    guard !displays.outputs.isEmpty else { return nil }
    guard !panels.isEmpty else { return Reason.noOutput(named: settings.output).message(on: nil) }
    if activePanels.isEmpty, let failure = panels.compactMap(\.switchOnFailure).first { return failure }
    let outputs = activePanels.isEmpty ? Array(panels.prefix(1)) : activePanels
    return outputs.first { !$0.canShow(orientation) }.map { inability(of: $0, toShow: orientation) }
  }

  private var nothingOffered: Message {
    Message(
      .notOffered, "No rotation is suggested now",
      next: settings.suggestsWhileLocked
        ? "one is suggested for ten seconds when you rotate the device while the screen is locked or paused"
        : "set suggest-rotation = true in the [notifications] settings to get suggestions while locked")
  }

  private func refusal(toLockWhile application: String) -> Message? {
    guard !applications.windows.contain(application) else { return nil }
    let names = applications.windows.names.joined(separator: ", ")
    return Message(
      .applicationUnknown,
      names.isEmpty
        ? "No window of \(application) is known, nor any other, so nothing is locked. Focus it once first."
        : "No window of \(application) is known, so nothing is locked. Known windows: \(names).")
  }
}

extension Reason {
  fileprivate var isRestriction: Bool {
    switch self {
    case .desktopAllows, .ruleAllows, .requestAllows, .lockOverridesApplications: true
    default: false
    }
  }
}
