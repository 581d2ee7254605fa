// SPDX-License-Identifier: MIT

/// One line of `autorotate doctor --json --local`.
struct Finding: Equatable {
  let name: String
  /// "works", "broken" or "not-applicable".
  let state: String
  let detail: String
  let nextStep: String?

  /// Empty if this is not what doctor prints.
  static func read(_ json: String) -> [Self] {
    (JSONObject(json)?.objects("findings") ?? []).compactMap(Self.init)
  }

  private init?(_ object: JSONObject) {
    guard let name = object.text("name"), let state = object.text("state") else { return nil }
    self.name = name
    self.state = state
    detail = object.text("detail") ?? ""
    nextStep = object.text("nextStep")
  }

  /// For a report: what a terminal shows.
  var text: String {
    ([mark + " " + name + ": " + detail] + [nextStep.map { "   → " + $0 }].compactMap(\.self)).joined(
      separator: "\n")
  }

  private var mark: String {
    switch state {
    case "works": "✓"
    case "broken": "✗"
    default: "–"
    }
  }
}
