// SPDX-License-Identifier: MIT

import CJson

/// What `autorotate` tells programs: an object with texts, numbers and lists of objects.
final class JSONObject {
  private let object: OpaquePointer

  /// `nil` if this is not a whole object.
  convenience init?(_ text: String) {
    guard let root = json_tokener_parse(text) else { return nil }
    self.init(owning: root)
  }

  private init?(owning object: OpaquePointer) {
    self.object = object
    guard json_object_is_type(object, json_type_object) != 0 else { return nil }
  }

  isolated deinit {
    json_object_put(object)
  }

  private func member(_ name: String, _ type: json_type) -> OpaquePointer? {
    var found: OpaquePointer?
    guard json_object_object_get_ex(object, name, &found) != 0, json_object_is_type(found, type) != 0 else {
      return nil
    }
    return found
  }

  func text(_ name: String) -> String? {
    member(name, json_type_string).map { String(cString: json_object_get_string($0)) }
  }

  func integer(_ name: String) -> Int? {
    member(name, json_type_int).map { Int(json_object_get_int64($0)) }
  }

  func decimal(_ name: String) -> Double? {
    member(name, json_type_double).map(json_object_get_double)
  }

  func objects(_ name: String) -> [JSONObject] {
    guard let list = member(name, json_type_array) else { return [] }
    return (0..<json_object_array_length(list)).compactMap { index in
      json_object_array_get_idx(list, index).flatMap { JSONObject(owning: json_object_get($0)) }
    }
  }
}
