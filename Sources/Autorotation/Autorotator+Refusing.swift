// SPDX-License-Identifier: MIT

/// Whose masks narrow the choice now.
struct Restrictions: Equatable, Sendable {
  /// Where the rule of the application in focus is written.
  var rule: String?
  /// The numbers of the requests.
  var requests: Set<UInt32> = []

  var isEmpty: Bool { self == Restrictions() }

  /// Whether all of it still holds.
  func hold(in now: Restrictions) -> Bool {
    (rule == nil || rule == now.rule) && requests.isSubset(of: now.requests)
  }
}

// What cannot be done now is refused with its reason and forgotten, so that nothing happens by surprise later.
extension Autorotator {
  var restrictions: Restrictions {
    let rule = focusedRule?.rule
    let restricts = rule.map { $0.supported != nil || !$0.autoRotate } ?? false
    return Restrictions(rule: restricts ? rule?.source : nil, requests: Set(requestsInForce.map(\.id)))
  }

  /// What the person chose among the few orientations that an application could show was meant for that application.
  mutating func forgetWhatWasAskedElsewhere() {
    guard asked != nil, !askedWithin.hold(in: restrictions) else { return }
    asked = nil
    askedWithin = Restrictions()
  }

  /// - Returns: `nil` if it can be done, or is no command.
  func refusal(of event: Event) -> Message? {
    switch event {
    case .rotate(let orientation): refusal(toShow: orientation)
    case .turn(let wish, let output?) where !isOfPanels(output): refusal(toTurn: output, wish)
    case .turn(let wish, _): refusal(toShow: resolved(wish))
    case .takeSuggestion: suggestion.map(refusal(toShow:)) ?? nothingOffered
    case .lock(_, .whileFocused(let application)?): refusal(toLockWhile: application)
    default: nil
    }
  }

  private func refusal(toShow orientation: InterfaceOrientation) -> Message? {
    if let desktopTurns { return desktopTurns }
    let decision = decision
    guard decision.allowed.contains(orientation) else {
      let refusal: Phrase = "\(orientation.word) is not allowed now, only \(decision.allowed.words)."
      let reasons = decision.reasons.filter(\.narrows).map(\.message.phrase)
      return Message(.notAllowed, reasons.reduce(refusal) { "\($0) \($1)" })
    }
    // Before the displays are known, and in the dark, the wish is remembered.
    guard !outputs.isEmpty else { return nil }
    guard !panels.isEmpty else { return Reason.noOutput(named: settings.output).message }
    let outputs = litPanels.isEmpty ? Array(panels.prefix(1)) : litPanels
    return outputs.first { !can($0, show: orientation) }.map { inability(of: $0, toShow: orientation) }
  }

  private var nothingOffered: Message {
    Message(
      .notOffered, "No turn is offered now",
      next: settings.suggestsWhileLocked
        ? "one is offered for ten seconds when the device is turned while the picture is locked or on hold"
        : "set suggest-rotation = true in the [notifications] settings to be offered what a lock forbids")
  }

  private func refusal(toLockWhile application: String) -> Message? {
    guard !windows.contain(application) else { return nil }
    let names = windows.names.joined(separator: ", ")
    return Message(
      .applicationUnknown,
      names.isEmpty
        ? "No window of \(application) is known, nor any other, so nothing is locked. Give it focus once first."
        : "No window of \(application) is known, so nothing is locked. There are windows of: \(names).")
  }
}

extension Reason {
  /// Whether it tells of something that narrows what is allowed.
  fileprivate var narrows: Bool {
    switch self {
    case .desktopAllows, .ruleAllows, .requestAllows, .lockWinsOverApplications: true
    default: false
    }
  }
}
