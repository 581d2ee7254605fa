// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// A change of an application's rule; `nil` parts stay unchanged.
package struct RuleRequest: Equatable, Sendable {
  package enum Mask: Equatable, Sendable {
    case orientations([OrientationName])
    /// The screen keeps its orientation while the application has focus.
    case keeps

    /// - Parameter words: "landscape", "left,right" or "keep".
    package init?(words: String) {
      if words == "keep" {
        self = .keeps
        return
      }
      let parts = words.split(separator: ",").map { OrientationName(rawValue: $0.trimmed) }
      guard !parts.isEmpty, !parts.contains(nil) else { return nil }
      self = .orientations(parts.compactMap(\.self))
    }

    /// The valid words.
    package static var words: [String] { OrientationName.allCases.map(\.rawValue) + ["keep"] }

    /// The advice for invalid words.
    package static func advice(for words: String) -> Phrase {
      let wrong = words.split(separator: ",").map(\.trimmed).first { OrientationName(rawValue: $0) == nil }
      return Word.orientations.advice(for: wrong ?? words)
    }
  }

  /// When the rule applies.
  package enum Scope: CaseIterable, Sendable {
    case fullscreen, windowed, always

    init(_ fullscreen: Bool?) { self = fullscreen.map { $0 ? .fullscreen : .windowed } ?? .always }

    var fullscreen: Bool? { self == .always ? nil : self == .fullscreen }

    /// Of `rule remove`, with a space.
    var option: String { fullscreen.map { $0 ? " --fullscreen" : " --windowed" } ?? "" }
  }

  package var mask: Mask?
  package var scope: Scope?
  /// Only while it plays (true), or only while it does not (false).
  package var playing: Bool?
  package var preferred: InterfaceOrientation?

  package init(
    mask: Mask? = nil, scope: Scope? = nil, playing: Bool? = nil, preferred: InterfaceOrientation? = nil
  ) {
    self.mask = mask
    self.scope = scope
    self.playing = playing
    self.preferred = preferred
  }

  package var isEmpty: Bool { self == Self() }

  func applied(to rule: ApplicationRule) -> ApplicationRule {
    var rule = rule
    switch mask {
    case nil: break
    case .orientations(let words):
      rule.supported = words
      rule.autoRotate = true
    case .keeps:
      rule.supported = nil
      rule.autoRotate = false
    }
    if let scope { rule.fullscreen = scope.fullscreen }
    if let playing { rule.playing = playing } else if scope == .always { rule.playing = nil }
    if let preferred { rule.preferred = preferred } else if !rule.supportsPreferred { rule.preferred = nil }
    return rule
  }
}

extension ApplicationRule {
  fileprivate var supportsPreferred: Bool {
    guard let preferred, let supported else { return true }
    return supported.mayContain(preferred)
  }
}

/// A change of a rule file.
package struct RuleChange: Equatable, Sendable {
  package let path: String
  let old: [UInt8]?
  /// `nil` to remove it.
  let new: [UInt8]?

  package var isRemoval: Bool { new == nil }
  /// Whether it makes an empty file, which disables another.
  package var isSwitch: Bool { new?.isEmpty == true }
  package var isNothing: Bool { old == new }

  package func perform() throws(Message) {
    let file = SettingsFile(path: path)
    if let new { return try file.write(new, over: old) }
    if let old { try file.remove(old) }
  }
}

/// The choices for an application without writing rules.
package enum RuleChoice: CaseIterable, Sendable {
  case rotates, landscape, portrait, keeps

  /// The choice that a rule is equal to; `nil` for other rules.
  package init?(_ rule: ApplicationRule) {
    let mask = rule.autoRotate ? RuleRequest.Mask.orientations(rule.supported ?? [.all]) : .keeps
    guard let choice = Self.allCases.first(where: { $0.mask == mask }) else { return nil }
    self = choice
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
    let rules = configuration.settings.rules.candidates(for: application)
    guard let rule = rules.first(where: { $0.titles == nil }) else { return .rotates }
    return RuleChoice(rule)
  }

  /// - Returns: `nil` if nothing changes.
  package func choosing(_ application: String, _ choice: RuleChoice) throws(Message) -> RuleChange? {
    guard self.choice(for: application) != choice else { return nil }
    let request = RuleRequest(mask: choice.mask)
    if choice == .rotates, !isNamedByOthers(application) { return try removing(application) }
    return try hasRule(application)
      ? editing(application, request) : adding(application, request, isFirst: true)
  }
}
