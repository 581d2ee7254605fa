// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// A received message, or one that is being built.
package final class BusMessage {
  let pointer: OpaquePointer

  /// Retains a message of sd-bus.
  init(keeping pointer: OpaquePointer) {
    sd_bus_message_ref(pointer)
    self.pointer = pointer
  }

  /// Takes ownership of a message that one of sd-bus's `new` functions returns.
  init(_ action: String, arguments: [Value], _ make: (inout OpaquePointer?) -> Int32) throws(BusError) {
    var message: OpaquePointer?
    try BusError.check(make(&message), action)
    guard let message else { throw BusError(BusError.failed, action) }
    pointer = message
    try MessageWriter(message: message).append(arguments)
  }

  isolated deinit {
    sd_bus_message_unref(pointer)
  }

  /// The unique name of the sender; `nil` on a connection without a bus.
  package var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }
  package var member: String? { sd_bus_message_get_member(pointer).map { String(cString: $0) } }

  /// All values in it.
  package func arguments() throws(BusError) -> [Value] { try arguments(upTo: .trusted) }

  /// All values in it, if they are within the limit.
  package func arguments(upTo limit: MessageLimit) throws(BusError) -> [Value] {
    var reader = MessageReader(message: pointer, limit: limit, remaining: limit)
    return try reader.readAll()
  }

  /// The error, if this is an error reply.
  var error: BusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0,
      let error = sd_bus_message_get_error(pointer)
    else { return nil }
    return BusError(error.pointee)
  }
}

extension BusError {
  init(_ error: sd_bus_error) {
    self.init(
      error.name.map { String(cString: $0) } ?? Self.failed, error.message.map { String(cString: $0) } ?? "")
  }

  /// The name, if it is valid in D-Bus, or else a generic one.
  var validName: String { sd_bus_interface_name_is_valid(name) > 0 ? name : Self.failed }
}

/// Limits of reading a message: a value takes many times the memory that it has in the message.
nonisolated package struct MessageLimit: Equatable, Sendable {
  var values: Int
  /// Bytes of UTF-8.
  var text: Int

  /// For calls, and for signals of any program; our methods need only short arguments.
  package static let call = Self(values: 1024, text: 65_536)
  /// For replies and signals: a desktop with many monitors reports some thousand modes.
  static let trusted = Self(values: 500_000, text: 8_388_608)
}

/// Reads the values of a message from any sender: each failure of sd-bus's own checks becomes an error.
struct MessageReader {
  let message: OpaquePointer
  let limit: MessageLimit
  var remaining: MessageLimit

  mutating func readAll() throws(BusError) -> [Value] {
    try check(sd_bus_message_rewind(message, 1))
    return try readToEnd()
  }

  /// All values up to the end of the open container.
  private mutating func readToEnd() throws(BusError) -> [Value] {
    var values: [Value] = []
    while let (type, contents) = try peek() {
      values.append(try read(type, contents))
    }
    return values
  }

  private func peek() throws(BusError) -> (type: UInt8, contents: String)? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard try check(sd_bus_message_peek_type(message, &type, &contents)) > 0 else { return nil }
    return (UInt8(bitPattern: type), contents.map { String(cString: $0) } ?? "")
  }

  private mutating func read(_ type: UInt8, _ contents: String) throws(BusError) -> Value {
    remaining.values -= 1
    guard remaining.values >= 0 else { throw tooLarge("\(limit.values) values") }
    switch type {
    case UInt8(ascii: "a"): return try readArray(of: contents)
    case UInt8(ascii: "v"): return .variant(try readContainer(type, contents, count: 1)[0])
    case UInt8(ascii: "r"): return .structure(try readContainer(type, contents))
    case UInt8(ascii: "e"):
      let pair = try readContainer(type, contents, count: 2)
      return .entry(pair[0], pair[1])
    default: return try readBasic(type)
    }
  }

  private mutating func readArray(of element: String) throws(BusError) -> Value {
    let elements = try readContainer(UInt8(ascii: "a"), element)
    guard element == "{sv}" else { return .array(of: element, elements) }
    var dictionary: [String: Value] = [:]
    for case .entry(.string(let key), let value) in elements {
      dictionary[key] = value.unwrapped
    }
    return .dictionary(dictionary)
  }

  /// - Parameter count: the number of values that it must have; `nil` for any.
  private mutating func readContainer(
    _ type: UInt8, _ contents: String, count: Int? = nil
  ) throws(BusError) -> [Value] {
    try check(sd_bus_message_enter_container(message, CChar(bitPattern: type), contents))
    let values = try readToEnd()
    try check(sd_bus_message_exit_container(message))
    guard count == nil || count == values.count else { throw malformed }
    return values
  }

  private mutating func readBasic(_ type: UInt8) throws(BusError) -> Value {
    switch type {
    case UInt8(ascii: "y"): .byte(try number(type, 0))
    case UInt8(ascii: "b"): .bool(try number(type, Int32(0)) != 0)
    case UInt8(ascii: "n"): .int16(try number(type, 0))
    case UInt8(ascii: "q"): .uint16(try number(type, 0))
    case UInt8(ascii: "i"): .int32(try number(type, 0))
    case UInt8(ascii: "u"): .uint32(try number(type, 0))
    case UInt8(ascii: "x"): .int64(try number(type, 0))
    case UInt8(ascii: "t"): .uint64(try number(type, 0))
    case UInt8(ascii: "d"): .double(try number(type, 0))
    case UInt8(ascii: "s"): .string(try text(type))
    case UInt8(ascii: "o"): .objectPath(try text(type))
    case UInt8(ascii: "g"): .signature(try text(type))
    default: throw unreadable(type)
    }
  }

  private func number<T: BitwiseCopyable>(_ type: UInt8, _ zero: T) throws(BusError) -> T {
    var number = zero
    try check(sd_bus_message_read_basic(message, CChar(bitPattern: type), &number))
    return number
  }

  private mutating func text(_ type: UInt8) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try check(sd_bus_message_read_basic(message, CChar(bitPattern: type), &text))
    guard let text else { throw malformed }
    remaining.text -= strlen(text)
    guard remaining.text >= 0 else { throw tooLarge("\(limit.text) bytes of text") }
    return String(cString: text)
  }

  private func tooLarge(_ most: String) -> BusError {
    BusError(BusError.invalidArguments, "a message with more than \(most)")
  }

  private var malformed: BusError { BusError(BusError.invalidArguments, "a malformed message") }

  private func unreadable(_ type: UInt8) -> BusError {
    let letter = Character(UnicodeScalar(type))
    return BusError(BusError.invalidArguments, "a value of type \(letter), which is not read here")
  }

  @discardableResult
  private func check(_ code: Int32) throws(BusError) -> Int32 {
    try BusError.check(code, "reading a message")
  }
}

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
    case .array(let element, let elements): try append(elements, in: "a", of: element)
    case .structure(let members): try append(members, in: "r", of: members.map(\.typeSignature).joined())
    case .variant(let inner): try append([inner], in: "v", of: inner.typeSignature)
    case .entry(let key, let value):
      try append([key, value], in: "e", of: key.typeSignature + value.typeSignature)
    case .dictionary(let dictionary):
      let sorted = dictionary.sorted { $0.key < $1.key }
      try append(sorted.map { .entry(.string($0.key), .variant($0.value)) }, in: "a", of: "{sv}")
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
  /// The text with U+FFFD for characters that D-Bus does not allow: zeros and noncharacters. Otherwise one window with
  /// such a name would prevent all messages about it.
  fileprivate var allowedInDBus: String {
    let isAllowed = { (scalar: Unicode.Scalar) in
      scalar.value != 0 && !scalar.properties.isNoncharacterCodePoint
    }
    guard !unicodeScalars.allSatisfy(isAllowed) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" }))
  }
}
