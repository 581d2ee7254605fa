// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// What counts for an application that has a window, as it crosses the bus.
struct WindowReport: Equatable {
  static let type = "(asbbssasas)"

  /// All names that rules may match.
  var names: [String]
  var isInFront: Bool
  var isFullscreen: Bool
  /// Where the rule stands that applies, and whose it is; empty for none.
  var rule = ""
  var layer = ""
  var allowed: [String]
  /// Rules for it that do not apply, with why, for a person.
  var others: [String] = []

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

  var value: Value {
    .structure([
      .strings(names), .bool(isInFront), .bool(isFullscreen), .string(rule), .string(layer),
      .strings(allowed),
      .strings(others),
    ])
  }

  var json: JSON {
    .object([
      ("names", .array(names.map(JSON.string))), ("inFront", .bool(isInFront)),
      ("fullscreen", .bool(isFullscreen)),
      ("rule", .optional(rule)), ("layer", .optional(layer)), ("allowed", .array(allowed.map(JSON.string))),
      ("others", .array(others.map(JSON.string))),
    ])
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

extension WindowReport: ReadableFromBus {
  init?(_ value: Value) {
    guard case .structure(let members) = value, let names = try? members.read(0, as: [String].self),
      let isInFront = try? members.read(1, as: Bool.self),
      let isFullscreen = try? members.read(2, as: Bool.self),
      let rule = try? members.read(3, as: String.self), let layer = try? members.read(4, as: String.self),
      let allowed = try? members.read(5, as: [String].self),
      let others = try? members.read(6, as: [String].self)
    else { return nil }
    (self.names, self.isInFront, self.isFullscreen) = (names, isInFront, isFullscreen)
    (self.rule, self.layer, self.allowed, self.others) = (rule, layer, allowed, others)
  }
}
