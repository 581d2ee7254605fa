// SPDX-License-Identifier: MIT

/// Scans numbers and separators in the bytes of one line, without copying and in any locale.
nonisolated struct DecimalScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The end of the line, or the beginning of a comment.
  var isAtEndOfData: Bool { isAtEnd || bytes[position] == UInt8(ascii: "#") }

  var isAtLineEnd: Bool {
    var rest = self
    rest.skipBlanks()
    return rest.isAtEndOfData
  }

  /// Nothing up to the next comma or the end, or a lone hyphen.
  mutating func takeEmptyField() -> Bool {
    let start = position
    _ = take(UInt8(ascii: "-"))
    guard isAtFieldEnd else {
      position = start
      return false
    }
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

  /// A decimal number; not "nan", "inf" or hexadecimal. Rounds correctly.
  /// - Returns: `nil`, with the position unmoved, if there is none or it does not end at a separator.
  mutating func takeNumber() -> Double? {
    let start = position
    guard let decimal = takeDecimal(), isAtFieldEnd else {
      position = start
      return nil
    }
    guard let value = decimal.exactValue ?? value(from: start), value.isFinite else {
      position = start
      return nil
    }
    return value
  }

  /// A whole number; as `takeNumber` otherwise.
  mutating func takeInteger() -> Int64? {
    let start = position
    guard let decimal = takeDecimal(), isAtFieldEnd, let value = decimal.integer else {
      position = start
      return nil
    }
    return value
  }

  private var isAtFieldEnd: Bool {
    isAtEndOfData || bytes[position].isBlank || bytes[position] == UInt8(ascii: ",")
  }

  private mutating func takeDecimal() -> Decimal? {
    var decimal = Decimal()
    decimal.isNegative = takeSign()
    takeDigits(into: &decimal, scale: 0)
    if take(UInt8(ascii: ".")) {
      decimal.isWhole = false
      takeDigits(into: &decimal, scale: -1)
    }
    guard decimal.digits > 0 else { return nil }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      guard let exponent = takeExponent() else { return nil }
      decimal.isWhole = false
      decimal.exponent += exponent
    }
    return decimal
  }

  private mutating func takeDigits(into decimal: inout Decimal, scale: Int) {
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      decimal.append(digit, scale: scale)
      position += 1
    }
  }

  private mutating func takeExponent() -> Int? {
    let isNegative = takeSign()
    let start = position
    var exponent = 0
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      exponent = min(exponent * 10 + Int(digit), 100_000)
      position += 1
    }
    guard position > start else { return nil }
    return isNegative ? -exponent : exponent
  }

  private mutating func takeSign() -> Bool {
    let isNegative = take(UInt8(ascii: "-"))
    if !isNegative { _ = take(UInt8(ascii: "+")) }
    return isNegative
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// The rare number with more digits than fit: left to the standard library, which is slower.
  private func value(from start: Int) -> Double? {
    Double(String(decoding: bytes[start..<position], as: UTF8.self))
  }
}

/// ±mantissa · 10^exponent, as far as 19 digits go.
nonisolated private struct Decimal {
  var isNegative = false
  var isWhole = true
  var mantissa: UInt64 = 0
  var digits = 0
  var exponent = 0

  /// Nineteen digits always fit into 64 bits.
  private static let maximumDigits = 19

  /// Up to 10^22 a power of ten is exact in binary, and so is the one rounding of the product.
  private static let powers: InlineArray<23, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  mutating func append(_ digit: UInt8, scale: Int) {
    digits += 1
    guard digits <= Self.maximumDigits else { return }
    mantissa = mantissa &* 10 &+ UInt64(digit)
    exponent += scale
  }

  /// `nil` if one rounding is not enough.
  var exactValue: Double? {
    guard digits <= Self.maximumDigits, mantissa < 1 << 53, exponent.magnitude < 23 else { return nil }
    let power = Self.powers[Int(exponent.magnitude)]
    let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    return isNegative ? -value : value
  }

  var integer: Int64? {
    guard isWhole, digits <= Self.maximumDigits, let value = Int64(exactly: mantissa) else { return nil }
    return isNegative ? -value : value
  }
}

nonisolated extension UInt8 {
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
