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
    // Both the digits and the power of ten are exact, so that one division rounds correctly (Clinger, "How to Read
    // Floating Point Numbers Accurately", 1990).
    if let decimal = shortDecimal, decimal.digitCount <= 15 {
      position = decimal.end
      let magnitude = Double(decimal.digits) / (0..<decimal.decimalCount).reduce(1) { power, _ in 10 * power }
      return decimal.isNegative ? -magnitude : magnitude
    }
    return takeField { Double($0).flatMap { $0.isFinite ? $0 : nil } }
  }

  /// A whole number; as `takeNumber` otherwise.
  mutating func takeInteger() -> Int64? {
    if let decimal = shortDecimal, !decimal.hasPoint {
      position = decimal.end
      return decimal.isNegative ? -decimal.digits : decimal.digits
    }
    return takeField { Int64($0) }
  }

  /// The decimal at the position, unless it is longer, or has a plus or an exponent, as few numbers of a trace do.
  private var shortDecimal: ShortDecimal? {
    var rest = self
    var decimal = ShortDecimal(isNegative: rest.take("-"))
    decimal.digitCount = rest.takeDigits(&decimal.digits)
    decimal.hasPoint = rest.take(".")
    if decimal.hasPoint { decimal.decimalCount = rest.takeDigits(&decimal.digits) }
    decimal.digitCount += decimal.decimalCount
    decimal.end = rest.position
    let isAtFieldEnd = rest.position == bytes.count || bytes[rest.position].endsField
    return isAtFieldEnd && (1...18).contains(decimal.digitCount) ? decimal : nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Appends the digits at the position to a number, which more than 18 make meaningless.
  /// - Returns: how many they are.
  private mutating func takeDigits(_ number: inout Int64) -> Int {
    let start = position
    while position < bytes.count, let digit = bytes[position].digit {
      number = number &* 10 &+ digit
      position += 1
    }
    return position - start
  }

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

/// A decimal of at most 18 digits, without a plus and an exponent.
nonisolated private struct ShortDecimal {
  let isNegative: Bool
  var digits: Int64 = 0
  var digitCount = 0
  /// Of the digits, how many are after the point.
  var decimalCount = 0
  var hasPoint = false
  /// The position after it.
  var end = 0
}

nonisolated extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  fileprivate var endsField: Bool { isBlank || self == UInt8(ascii: ",") || self == UInt8(ascii: "#") }

  fileprivate var digit: Int64? {
    let digit = self &- UInt8(ascii: "0")
    return digit < 10 ? Int64(digit) : nil
  }

  fileprivate var isPartOfDecimal: Bool { digit != nil || "+-.eE".utf8.contains(self) }
}
