// SPDX-License-Identifier: MIT

package import Autorotation

/// The choices for an application without writing rules.
package enum RuleChoice: CaseIterable, Sendable {
  case rotates, landscape, portrait, keeps

  /// The choice that a rule is equal to; `nil` for other rules.
  package init?(_ rule: ApplicationRule) {
    switch (rule.autoRotate, rule.supported) {
    case (false, _): self = .keeps
    case (true, nil), (true, [.all]): self = .rotates
    case (true, [.landscape]): self = .landscape
    case (true, [.portrait]): self = .portrait
    case (true, _): return nil
    }
  }

  package var words: Phrase {
    switch self {
    case .rotates: "Rotates with the Device"
    case .landscape: "Landscape"
    case .portrait: "Portrait"
    case .keeps: "Keeps Current Orientation"
    }
  }

  var mask: RuleRequest.Mask {
    switch self {
    case .rotates: .orientations([.all])
    case .landscape: .orientations([.landscape])
    case .portrait: .orientations([.portrait])
    case .keeps: .keeps
    }
  }
}

extension RuleBook {
  /// The current choice for an application, from the rule with the highest precedence; `nil` for other rules.
  package func choice(for application: String) -> RuleChoice? {
    guard let rule = configuration.settings.rules.counting(for: application).first else { return .rotates }
    return RuleChoice(rule)
  }

  /// - Returns: `nil` if nothing changes.
  package func choosing(_ application: String, _ choice: RuleChoice) throws(Message) -> RuleChange? {
    guard self.choice(for: application) != choice else { return nil }
    let request = RuleRequest(mask: choice.mask)
    if choice == .rotates, !isNamedByOthers(application) { return try removing(application) }
    return hasRule(application) ? try editing(application, request) : try adding(application, request)
  }
}
