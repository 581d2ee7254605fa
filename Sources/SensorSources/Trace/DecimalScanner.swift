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
    let hasComma = take(",")
    if hasComma { skipBlanks() }
    return hasComma || position > start
  }

  /// A decimal number; not "nan", "inf" or hexadecimal.
  /// - Returns: `nil`, with the position unmoved, if there is none or it does not end at a separator.
  mutating func takeNumber() -> Double? {
    // Both the digits and the power of ten are exact, so that one division rounds correctly (Clinger, "How to Read
    // Floating Point Numbers Accurately", 1990).
    if let (sign, digits, decimals) = takeShortDecimal(maximumDigits: 15, hasPoint: true) {
      return Double(sign) * Double(digits) / (0..<decimals).reduce(1) { power, _ in 10 * power }
    }
    return takeField { Double($0).flatMap { $0.isFinite ? $0 : nil } }
  }

  /// A whole number; as `takeNumber` otherwise.
  mutating func takeInteger() -> Int64? {
    if let (sign, digits, _) = takeShortDecimal(maximumDigits: 18, hasPoint: false) { return sign * digits }
    return takeField { Int64($0) }
  }

  /// A decimal without a plus and an exponent, as most numbers of a trace are.
  /// - Parameter hasPoint: whether it may have one.
  /// - Returns: its digits, and how many of them are after the point.
  private mutating func takeShortDecimal(
    maximumDigits: Int, hasPoint: Bool
  ) -> (sign: Int64, digits: Int64, decimals: Int)? {
    var (rest, digits) = (self, Int64(0))
    let sign: Int64 = rest.take("-") ? -1 : 1
    let whole = rest.takeDigits(&digits)
    let decimals = hasPoint && rest.take(".") ? rest.takeDigits(&digits) : 0
    guard (1...maximumDigits).contains(whole + decimals), rest.isAtFieldEnd else { return nil }
    self = rest
    return (sign, digits, decimals)
  }

  private var isAtFieldEnd: Bool { position == bytes.count || bytes[position].endsField }

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

nonisolated extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  fileprivate var endsField: Bool { isBlank || self == UInt8(ascii: ",") || self == UInt8(ascii: "#") }

  fileprivate var digit: Int64? {
    let digit = self &- UInt8(ascii: "0")
    return digit < 10 ? Int64(digit) : nil
  }

  fileprivate var isPartOfDecimal: Bool { digit != nil || "+-.eE".utf8.contains(self) }
}
