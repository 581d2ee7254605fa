// SPDX-License-Identifier: MIT

import CSystemd

/// Appends values to a message that is being built.
struct MessageWriter {
  let message: OpaquePointer

  func append(_ values: [Value]) throws(BusError) {
    for value in values { try append(value) }
  }

  private func append(_ value: Value) throws(BusError) {
    switch value {
    case .byte(let number): try append(number, as: "y")
    case .bool(let bool): try append(Int32(bool ? 1 : 0), as: "b")
    case .int16(let number): try append(number, as: "n")
    case .uint16(let number): try append(number, as: "q")
    case .int32(let number): try append(number, as: "i")
    case .uint32(let number): try append(number, as: "u")
    case .int64(let number): try append(number, as: "x")
    case .uint64(let number): try append(number, as: "t")
    case .double(let number): try append(number, as: "d")
    case .string(let text): try append(text: text.allowedInDBus, as: "s")
    case .objectPath(let path): try append(text: path, as: "o")
    case .signature(let signature): try append(text: signature, as: "g")
    default: try append(container: value)
    }
  }

  private func append(container value: Value) throws(BusError) {
    switch value {
    case .array(let element, let elements): try append(elements, in: "a", of: element)
    case .structure(let members): try append(members, in: "r", of: members.map(\.typeSignature).joined())
    case .variant(let inner): try append([inner], in: "v", of: inner.typeSignature)
    case .entry(let key, let value):
      try append([key, value], in: "e", of: key.typeSignature + value.typeSignature)
    case .dictionary(let dictionary):
      let sorted = dictionary.sorted { $0.key < $1.key }
      try append(sorted.map { .entry(.string($0.key), .variant($0.value)) }, in: "a", of: "{sv}")
    default: break
    }
  }

  private func append(_ values: [Value], in type: Unicode.Scalar, of contents: String) throws(BusError) {
    try check(sd_bus_message_open_container(message, letter(type), contents), type)
    try append(values)
    try check(sd_bus_message_close_container(message), type)
  }

  private func append(_ number: some BitwiseCopyable, as type: Unicode.Scalar) throws(BusError) {
    let code = withUnsafePointer(to: number) {
      sd_bus_message_append_basic(message, letter(type), $0)
    }
    try check(code, type)
  }

  private func append(text: String, as type: Unicode.Scalar) throws(BusError) {
    guard !text.utf8.contains(0) else {
      throw BusError(BusError.invalidArguments, "a text with a zero byte, which D-Bus cannot carry")
    }
    let code = text.withCString { sd_bus_message_append_basic(message, letter(type), $0) }
    try check(code, type)
  }

  private func letter(_ type: Unicode.Scalar) -> CChar { CChar(bitPattern: UInt8(ascii: type)) }

  private func check(_ code: Int32, _ type: Unicode.Scalar) throws(BusError) {
    try BusError.check(code, "writing a value of type \(type) into a message")
  }
}

extension String {
  /// The text with U+FFFD for characters that D-Bus does not allow: zeros and noncharacters. Otherwise one window with such
  /// a name would prevent all messages about it.
  fileprivate var allowedInDBus: String {
    let isAllowed = { (scalar: Unicode.Scalar) in
      scalar.value != 0 && !scalar.properties.isNoncharacterCodePoint
    }
    guard !unicodeScalars.allSatisfy(isAllowed) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" }))
  }
}
