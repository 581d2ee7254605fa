// SPDX-License-Identifier: MIT

import Autorotation

extension Explanation {
  /// For a person, over several lines, without a newline at the end.
  var text: String {
    ([heading] + ruleLines + allowedLines + outcomeLines).joined(separator: "\n")
  }

  private var heading: String {
    guard let name = identifiers.first else { return "No application is in focus." }
    let aliases = identifiers.dropFirst().filter { $0 != name }
    let also = aliases.isEmpty ? "" : " (also \(aliases.joined(separator: ", ")))"
    return "\(name)\(also)\(isFullscreen ? ", fullscreen" : "")"
  }

  private var ruleLines: [String] {
    let used = rule.map { "\($0.source), \($0.layer.words)\($0.extras)" } ?? "none"
    return [Self.row("Rule", used)]
      + others.map { Self.row("Not used", "\($0.rule.source), \($0.rule.layer.words): \($0.why)") }
  }

  private var allowedLines: [String] {
    levels.enumerated().map { index, level in
      let way = level.takesPart ? "" : ", which leaves nothing and gives way"
      return Self.row(index == 0 ? "Allowed" : "", "\(level.mask.words) by \(level.name)\(way)")
    } + [Self.row("", "\(allowed.words) in all")]
  }

  private var outcomeLines: [String] {
    [Self.row("Held", "shows")]
      + outcomes.map { outcome in
        let shown = outcome.orientation.word.padded(to: 10)
        return Self.row(outcome.device.rawValue, "\(shown)\(outcome.reason)")
      }
  }

  private static func row(_ name: String, _ value: String) -> String {
    "  \(name.padded(to: 12))\(value)"
  }
}

extension ApplicationRule {
  fileprivate var extras: String {
    let condition = fullscreen.map { $0 ? ", while fullscreen" : ", while not fullscreen" } ?? ""
    let preference = preferred.map { ", prefers \($0.word)" } ?? ""
    return condition + preference + (autoRotate ? "" : ", pauses auto-rotation")
  }
}

extension ApplicationRule.Layer {
  fileprivate var words: String {
    switch self {
    case .user: "yours"
    case .administrator: "the administrator's"
    case .shipped: "shipped"
    case .desktopFile: "the application's own"
    }
  }
}

extension String {
  /// With blanks to at least one more than its length.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
