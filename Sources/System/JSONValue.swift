// SPDX-License-Identifier: MIT

import CJson
import Glibc

/// A value in a parsed JSON text. Only values that are accessed are copied.
///
/// A missing value, `null` and a value of another type are all read as `nil`, or as no elements or members.
package struct JSONValue {
  /// The deepest nesting that is accepted; json-c allocates a table of this size.
  private static let maximumDepth: Int32 = 512
  /// The strict mode of json-c 0.18 refuses all texts that are not ASCII (json-c#892), so it is not used there.
  package static let isStrict = json_c_version_num() >> 8 != 18

  /// Keeps the whole document while a part of it is in use.
  private final class Document {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
      self.pointer = pointer
    }

    isolated deinit {
      json_object_put(pointer)
    }
  }

  private let document: Document
  private let pointer: OpaquePointer

  /// A member of an object.
  package subscript(key: String) -> JSONValue? {
    var member: OpaquePointer?
    json_object_object_get_ex(pointer, key, &member)
    return member.map { JSONValue(document: document, pointer: $0) }
  }

  /// The elements of an array, without those that are `null`; none for anything else.
  package var elements: [JSONValue] {
    guard hasType(json_type_array) else { return [] }
    return (0..<json_object_array_length(pointer)).compactMap { index in
      json_object_array_get_idx(pointer, index).map { JSONValue(document: document, pointer: $0) }
    }
  }

  /// The members of an object in their order, without those that are `null`; none for anything else.
  package var members: [(key: String, value: JSONValue)] {
    var found: [(key: String, value: JSONValue)] = []
    var entry = json_object_get_object(pointer)?.pointee.head
    while let current = entry {
      if let key = current.pointee.k, let value = current.pointee.v {
        let name = String(cString: key.assumingMemoryBound(to: CChar.self))
        found.append((name, JSONValue(document: document, pointer: OpaquePointer(value))))
      }
      entry = current.pointee.next
    }
    return found
  }

  package var string: String? {
    guard hasType(json_type_string), let start = json_object_get_string(pointer) else { return nil }
    let length = Int(json_object_get_string_len(pointer))
    return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
  }

  package var int: Int? { hasType(json_type_int) ? Int(json_object_get_int64(pointer)) : nil }

  /// Also for whole numbers.
  package var double: Double? {
    hasType(json_type_double) || hasType(json_type_int) ? json_object_get_double(pointer) : nil
  }

  package var bool: Bool? {
    hasType(json_type_boolean) ? json_object_get_boolean(pointer) != 0 : nil
  }

  private func hasType(_ type: json_type) -> Bool { json_object_get_type(pointer) == type }
}

extension JSONValue {
  /// - Parameter text: one JSON value, and nothing else. Texts in it that are not UTF-8 are repaired when they are
  ///   read: sway passes on whatever a window is called.
  package init?(_ text: some Collection<UInt8>) {
    guard let tokener = json_tokener_new_ex(Self.maximumDepth) else { return nil }
    defer { json_tokener_free(tokener) }
    if Self.isStrict { json_tokener_set_flags(tokener, Int32(JSON_TOKENER_STRICT)) }
    // json-c needs the zero to know that a number at the end is complete.
    let bytes = text.map { CChar(bitPattern: $0) } + [0]
    guard let count = Int32(exactly: bytes.count) else { return nil }
    guard let parsed = json_tokener_parse_ex(tokener, bytes, count) else { return nil }
    let document = Document(parsed)
    guard json_tokener_get_parse_end(tokener) >= bytes.count - 1 else { return nil }
    self.init(document: document, pointer: parsed)
  }

  package init?(_ text: String) {
    self.init(text.utf8)
  }
}
