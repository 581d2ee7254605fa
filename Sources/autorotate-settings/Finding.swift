// SPDX-License-Identifier: MIT

import System

/// One line of `autorotate doctor --json --local`.
struct Finding: Equatable {
  let name: String
  /// "works", "broken" or "not-applicable".
  let state: String
  let detail: String
  let nextStep: String?

  /// Empty if this is not the output of doctor.
  static func read(_ json: String) -> [Self] {
    (JSONValue(json)?["findings"]?.elements ?? []).compactMap(Self.init)
  }

  private init?(_ object: JSONValue) {
    guard let name = object["name"]?.string, let state = object["state"]?.string else { return nil }
    self.name = name
    self.state = state
    detail = object["detail"]?.string ?? ""
    nextStep = object["nextStep"]?.string
  }

  /// The text that doctor prints on a terminal, for a report.
  var text: String {
    ([mark + " " + name + ": " + detail] + [nextStep.map { "   → " + $0 }].compactMap(\.self)).joined(
      separator: "\n")
  }

  private var mark: String { ["works": "✓", "broken": "✗"][state] ?? "–" }
}
