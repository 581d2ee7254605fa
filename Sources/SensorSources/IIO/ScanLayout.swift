// SPDX-License-Identifier: MIT

/// How one value is stored in a sample of the kernel's buffer: "le:s12/16>>4" in `scan_elements/*_type`.
nonisolated struct ScanType: Equatable {
  var isBigEndian: Bool
  var isSigned: Bool
  /// Of the value itself (realbits). The other storage bits do not extend its sign: 16 of 32 bits are zero-extended.
  var bits: Int
  /// Bytes of storage: 1, 2, 4 or 8.
  var size: Int
  var shift: Int

  /// `nil` for an invalid text, and for the repeated values of quaternions ("le:s16/16X4>>0").
  init?(text: String) {
    let parts = text.split(whereSeparator: { ":/>".contains($0) || $0.isWhitespace })
    guard parts.count == 4, ["le", "be"].contains(parts[0]), let sign = parts[1].first, "sSuU".contains(sign),
      let bits = Int(parts[1].dropFirst()), let storage = Int(parts[2]), let shift = Int(parts[3]),
      [8, 16, 32, 64].contains(storage), bits > 0, shift >= 0, bits <= storage - shift
    else { return nil }
    isBigEndian = parts[0] == "be"
    isSigned = sign == "s" || sign == "S"
    self.bits = bits
    self.size = storage / 8
    self.shift = shift
  }

  /// - Parameter storage: `size` bytes.
  func value(_ storage: some Collection<UInt8>) -> Int64 {
    let highestFirst = isBigEndian ? Array(storage) : storage.reversed()
    let word = highestFirst.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> UInt64(shift)
    let unused = UInt64(64 - bits)
    let highest = word << unused
    return isSigned ? Int64(bitPattern: highest) >> unused : Int64(clamping: highest >> unused)
  }
}

/// The positions of the values in a sample of the kernel's buffer.
nonisolated struct ScanLayout {
  /// One value of a sample, by its name in `scan_elements`: "in_accel_x", "in_timestamp".
  typealias Element = (name: String, index: Int, type: ScanType)

  /// The values of a sample, before offset, scale and mount matrix.
  struct Sample: Equatable {
    var x, y, z: Int64
    /// The angular rates about x, y and z; empty without a gyroscope.
    var rates: [Int64] = []
    /// Nanoseconds of the clock that the device is set to.
    var timestamp: Int64?
  }

  static let axes = ["in_accel_x", "in_accel_y", "in_accel_z"]
  static let rates = ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z"]

  /// Bytes.
  let sampleSize: Int
  private let positions: [String: (offset: Int, type: ScanType)]

  /// - Parameter elements: all that are enabled.
  /// - Returns: `nil` if an axis is missing.
  init?(_ elements: [Element]) {
    var positions: [String: (offset: Int, type: ScanType)] = [:]
    var end = 0
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let offset = Self.align(end, to: element.type.size)
      positions[element.name] = (offset, element.type)
      end = offset + element.type.size
    }
    guard Self.axes.allSatisfy({ positions[$0] != nil }) else { return nil }
    self.positions = positions
    sampleSize = Self.align(end, to: elements.map(\.type.size).max() ?? 1)
  }

  /// - Parameter bytes: `sampleSize` of them.
  func sample(_ bytes: ArraySlice<UInt8>) -> Sample? {
    guard bytes.count == sampleSize, let x = value("in_accel_x", bytes), let y = value("in_accel_y", bytes),
      let z = value("in_accel_z", bytes)
    else { return nil }
    return Sample(x: x, y: y, z: z, rates: rates(bytes), timestamp: value("in_timestamp", bytes))
  }

  /// - Parameter bytes: whole samples.
  func samples(_ bytes: ArraySlice<UInt8>) -> [Sample] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: sampleSize).compactMap {
      sample(bytes[$0...].prefix(sampleSize))
    }
  }

  /// Returns three rates, or none.
  private func rates(_ bytes: ArraySlice<UInt8>) -> [Int64] {
    guard Self.rates.allSatisfy({ positions[$0] != nil }) else { return [] }
    return Self.rates.compactMap { value($0, bytes) }
  }

  private func value(_ name: String, _ bytes: ArraySlice<UInt8>) -> Int64? {
    positions[name].map { $0.type.value(bytes.dropFirst($0.offset).prefix($0.type.size)) }
  }

  private static func align(_ offset: Int, to size: Int) -> Int {
    (offset + size - 1) / size * size
  }
}
