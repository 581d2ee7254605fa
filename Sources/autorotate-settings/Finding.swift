// SPDX-License-Identifier: MIT

import CJson

/// One line of `autorotate doctor --json`.
struct Finding: Equatable {
  let name: String
  /// "works", "broken" or "not-applicable".
  let state: String
  let detail: String
  let nextStep: String?

  /// Empty if this is not what doctor prints.
  static func read(_ json: String) -> [Self] {
    guard let root = json_tokener_parse(json) else { return [] }
    defer { json_object_put(root) }
    guard let list = member("findings", of: root), json_object_is_type(list, json_type_array) != 0 else {
      return []
    }
    return (0..<json_object_array_length(list)).compactMap { index in
      json_object_array_get_idx(list, index).flatMap(Self.init)
    }
  }

  private init?(_ object: OpaquePointer) {
    guard let name = Self.text("name", of: object), let state = Self.text("state", of: object) else {
      return nil
    }
    self.name = name
    self.state = state
    detail = Self.text("detail", of: object) ?? ""
    nextStep = Self.text("nextStep", of: object)
  }

  private static func member(_ name: String, of object: OpaquePointer) -> OpaquePointer? {
    var found: OpaquePointer?
    return json_object_object_get_ex(object, name, &found) != 0 ? found : nil
  }

  private static func text(_ name: String, of object: OpaquePointer) -> String? {
    guard let value = member(name, of: object), json_object_is_type(value, json_type_string) != 0 else {
      return nil
    }
    return String(cString: json_object_get_string(value))
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
