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

/// What the user chose by hand, without a lock.
struct UserChoice: Sendable {
  /// The orientation that is kept while auto-rotation is paused.
  var paused: InterfaceOrientation?
  /// The orientation asked for, until the device is rotated.
  var asked: InterfaceOrientation?
  /// What narrowed the choice when `asked` was set. `asked` ends when any of it does.
  var askedWithin = Restrictions()
  /// What was shown last that no application caused.
  var baseline = InterfaceOrientation.normal

  mutating func forgetAsked() {
    asked = nil
    askedWithin = Restrictions()
  }

  mutating func pause(at orientation: InterfaceOrientation?) {
    paused = orientation
    asked = nil
    if let orientation { baseline = orientation }
  }
}

// What cannot be done now is refused with its reason and forgotten, so that nothing happens by surprise later.
extension Autorotator {
  var restrictions: Restrictions {
    let rule = focusedRule?.rule
    let restricts = rule.map { $0.supported != nil || !$0.autoRotate } ?? false
    return Restrictions(
      rule: restricts ? rule?.source : nil, requests: Set(applications.requestsInForce.map(\.id)))
  }

  /// What the person chose among the few orientations that an application could show was meant for that application.
  mutating func forgetWhatWasAskedElsewhere() {
    guard choice.asked != nil, !choice.askedWithin.hold(in: restrictions) else { return }
    choice.forgetAsked()
  }

  /// - Returns: `nil` if it can be done, or is no command.
  func refusal(of event: Event) -> Message? {
    switch event {
    case .command(.rotate(let wish, let output?)) where !isOfPanels(output): refusal(toTurn: output, wish)
    case .command(.rotate(let wish, _)): refusal(toShow: resolved(wish))
    case .command(.takeSuggestion): suggestion.published.map(refusal(toShow:)) ?? nothingOffered
    case .command(.lock(_, .focus(let application)?)): refusal(toLockWhile: application)
    default: nil
    }
  }

  private func refusal(toShow orientation: InterfaceOrientation) -> Message? {
    if let reason = desktop.rotates { return reason }
    let decision = decision
    guard decision.allowed.contains(orientation) else {
      let refusal: Phrase = "\(orientation.word) is not allowed now, only \(decision.allowed.words)."
      let reasons = decision.reasons.filter(\.narrows).map(\.message.phrase)
      return Message(.notAllowed, reasons.reduce(refusal) { "\($0) \($1)" })
    }
    // Before the displays are known, and in the dark, the wish is remembered.
    guard !displays.outputs.isEmpty else { return nil }
    guard !panels.isEmpty else { return Reason.noOutput(named: settings.output).message }
    if litPanels.isEmpty, let failure = panels.compactMap(\.switchOnFailure).first { return failure }
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
    guard !applications.windows.contain(application) else { return nil }
    let names = applications.windows.names.joined(separator: ", ")
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
