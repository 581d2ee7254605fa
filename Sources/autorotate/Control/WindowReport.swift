// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// What counts for an application that has a window, as it crosses the bus.
struct WindowReport: Report {
  static let fields: [ReportField<Self>] = [
    .init("names", \.names), .init("inFront", \.isInFront), .init("fullscreen", \.isFullscreen),
    .init("rule", \.rule), .init("layer", \.layer), .init("allowed", \.allowed), .init("others", \.others),
  ]

  /// All names that rules may match.
  var names: [String] = []
  var isInFront = false
  var isFullscreen = false
  /// Where the rule stands that applies, and whose it is; empty for none.
  var rule = ""
  var layer = ""
  var allowed: [String] = []
  /// Rules for it that do not apply, with why, for a person.
  var others: [String] = []

  init() {}

  init(_ explanation: Explanation, isInFront: Bool) {
    names = explanation.identifiers
    self.isInFront = isInFront
    isFullscreen = explanation.isFullscreen
    if let rule = explanation.rule {
      self.rule = rule.source
      layer = "\(rule.layer)"
    }
    allowed = explanation.allowed.orientations.map(\.word)
    others = explanation.others.map { localized("\($0.rule.source): \($0.why)") }
  }

  /// For a person, over one line or several.
  var lines: [String] {
    let size: Phrase = isFullscreen ? ", fullscreen" : ""
    let place: Phrase = isInFront ? ", in front" : ""
    let title = "\(names.joined(separator: ", "))\(localized(place))\(localized(size))"
    let source: Phrase = rule.isEmpty ? "no rule" : Phrase(verbatim: rule)
    let effect: Phrase = "\(allowed.joined(separator: ", ")) (\(source))"
    return [title, "  " + localized(effect)] + others.map { "  " + localized("not used: \($0)") }
  }
}
