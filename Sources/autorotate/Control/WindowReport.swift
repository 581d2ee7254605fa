// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The rules in effect for an application that has a window, as sent over the bus.
struct WindowReport: Report {
  static let fields: [ReportField<Self>] = [
    .init("names", \.names), .init("inFront", \.isInFront), .init("fullscreen", \.isFullscreen),
    .init("rule", \.rule), .init("layer", \.layer), .init("allowed", \.allowed), .init("others", \.others),
  ]

  /// All names that rules may match.
  var names: [String] = []
  /// The title of the focused window, by `GetChoices`; empty for others, and while no rule depends on titles.
  var title = ""
  var isInFront = false
  var isFullscreen = false
  /// The file and the layer of the rule that applies; empty for none.
  var rule = ""
  var layer = ""
  var allowed: [String] = []
  /// Its rules that do not apply, with the reasons, for the user.
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

  var json: JSON { .object(Self.fields.map { ($0.name, $0.json(self)) } + [("title", title.json)]) }

  /// For the user, in one or more lines.
  var lines: [String] {
    let size: Phrase = isFullscreen ? ", fullscreen" : ""
    let place: Phrase = isInFront ? ", focused" : ""
    let heading = "\(names.joined(separator: ", "))\(localized(place))\(localized(size))"
    let source: Phrase = rule.isEmpty ? "no rule" : Phrase(verbatim: rule)
    let effect: Phrase = "\(allowed.joined(separator: ", ")) (\(source))"
    let titleLines = title.isEmpty ? [] : ["  " + localized("title: \(title)")]
    return [heading] + titleLines + ["  " + localized(effect)]
      + others.map { "  " + localized("not used: \($0)") }
  }
}
