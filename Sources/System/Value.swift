// SPDX-License-Identifier: MIT

/// One value of a D-Bus message.
nonisolated package enum Value: Equatable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// `of` is the signature of one element, which an empty array also needs.
  indirect case array(of: String, [Value])
  indirect case structure([Value])
  indirect case variant(Value)
  /// `a{sv}`, with the contents of the variants.
  indirect case dictionary([String: Value])
  /// An element of any other `a{…}`, which is an `array` of these.
  indirect case entry(Value, Value)

  package static func strings(_ strings: some Sequence<String>) -> Value {
    .array(of: "s", strings.map(Value.string))
  }

  /// The D-Bus type, such as "a{sv}".
  package var typeSignature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .array(let element, _): "a" + element
    case .structure(let members): "(" + members.map(\.typeSignature).joined() + ")"
    case .variant: "v"
    case .dictionary: "a{sv}"
    case .entry(let key, let value): "{" + key.typeSignature + value.typeSignature + "}"
    }
  }

  /// The value inside all variants.
  package var unwrapped: Value {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  package func read<T: ReadableFromBus>(as type: T.Type = T.self) throws(BusError) -> T {
    guard let result = T(unwrapped) else {
      throw BusError(
        BusError.invalidArguments, "a value of type \(unwrapped.typeSignature) where \(T.self) was expected")
    }
    return result
  }

  /// The content, for Swift types that need no conversion.
  fileprivate var plain: Any? {
    switch self {
    case .bool(let bool): bool
    case .int32(let number): number
    case .uint32(let number): number
    case .uint64(let number): number
    case .double(let number): number
    default: nil
    }
  }
}

/// A Swift type that a `Value` can be read as; a variant is read as its content.
nonisolated package protocol ReadableFromBus {
  /// `nil` for a value of another type.
  init?(_ value: Value)
}

nonisolated extension [Value] {
  /// The value at `index` as a Swift type. Too few values and other types are errors, never crashes.
  package func read<T: ReadableFromBus>(_ index: Int, as type: T.Type = T.self) throws(BusError) -> T {
    guard indices.contains(index) else {
      throw BusError(BusError.invalidArguments, "only \(count) values where \(index + 1) were expected")
    }
    return try self[index].read()
  }
}

nonisolated extension ReadableFromBus {
  package init?(_ value: Value) {
    guard let plain = value.plain as? Self else { return nil }
    self = plain
  }
}

nonisolated extension Bool: ReadableFromBus {}
nonisolated extension Int32: ReadableFromBus {}
nonisolated extension UInt32: ReadableFromBus {}
nonisolated extension UInt64: ReadableFromBus {}
nonisolated extension Double: ReadableFromBus {}

nonisolated extension String: ReadableFromBus {
  package init?(_ value: Value) {
    switch value {
    case .string(let text), .objectPath(let text), .signature(let text): self = text
    default: return nil
    }
  }
}

nonisolated extension Array: ReadableFromBus where Element: ReadableFromBus {
  package init?(_ value: Value) {
    guard case .array(_, let elements) = value else { return nil }
    let read = elements.compactMap { Element($0.unwrapped) }
    guard read.count == elements.count else { return nil }
    self = read
  }
}

nonisolated extension Dictionary: ReadableFromBus where Key == String, Value == System.Value {
  package init?(_ value: System.Value) {
    guard case .dictionary(let dictionary) = value else { return nil }
    self = dictionary
  }
}
