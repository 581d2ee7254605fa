// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// Limits of reading a message: a value takes many times the memory that it has in the message.
nonisolated struct MessageLimit: Equatable {
  var values: Int
  /// Bytes of UTF-8.
  var text: Int

  /// For calls, which any program may send; our methods need only short arguments.
  static let call = Self(values: 1024, text: 65_536)
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
