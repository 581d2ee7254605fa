// SPDX-License-Identifier: MIT

/// Scans numbers and separators in the bytes of one line, without copying and in any locale.
nonisolated struct DecimalScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The end of the line, or the beginning of a comment.
  var isAtEndOfData: Bool { position == bytes.count || bytes[position] == UInt8(ascii: "#") }

  var isAtLineEnd: Bool {
    var rest = self
    rest.skipBlanks()
    return rest.isAtEndOfData
  }

  /// Skips an empty field, or one with only a hyphen.
  mutating func takeEmptyField() -> Bool {
    let field = field
    guard field.isEmpty || field.elementsEqual("-".utf8) else { return false }
    position = field.endIndex
    return true
  }

  mutating func skipBlanks() {
    while position < bytes.count, bytes[position].isBlank { position += 1 }
  }

  /// Skips a comma with blanks around it, or blanks alone.
  mutating func takeSeparator() -> Bool {
    let start = position
    skipBlanks()
    if position < bytes.count, bytes[position] == UInt8(ascii: ",") {
      position += 1
      skipBlanks()
      return true
    }
    return position > start
  }

  /// A decimal number; not "nan", "inf" or hexadecimal.
  /// - Returns: `nil`, with the position unmoved, if there is none or it does not end at a separator.
  mutating func takeNumber() -> Double? {
    takeField { Double($0).flatMap { $0.isFinite ? $0 : nil } }
  }

  /// A whole number; as `takeNumber` otherwise.
  mutating func takeInteger() -> Int64? { takeField { Int64($0) } }

  private mutating func takeField<Number>(_ number: (String) -> Number?) -> Number? {
    let field = field
    guard field.allSatisfy(\.isPartOfDecimal), let value = number(String(decoding: field, as: UTF8.self))
    else { return nil }
    position = field.endIndex
    return value
  }

  /// The rest of the field at the position.
  private var field: Slice<UnsafeBufferPointer<UInt8>> { bytes[position...].prefix { !$0.endsField } }
}

nonisolated extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  fileprivate var endsField: Bool { isBlank || self == UInt8(ascii: ",") || self == UInt8(ascii: "#") }

  fileprivate var isPartOfDecimal: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || "+-.eE".utf8.contains(self)
  }
}
