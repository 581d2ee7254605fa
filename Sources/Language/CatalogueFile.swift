// SPDX-License-Identifier: MIT

import Glibc
import System

/// A catalogue as written by msgfmt(1): seven words of 32 bits, and two tables of lengths and offsets of texts.
///
/// glibc does not check a catalogue, and one that was truncated (by a full disk) would crash the program.
struct CatalogueFile {
  private let bytes: [UInt8]

  private static let magic = 0x9504_12DE
  private static let headerBytes = 28
  private static let entryBytes = 8
  /// Far more than any language needs.
  private static let maximumBytes = 4_000_000

  /// - Returns: `nil` if there is no such file.
  init?(path: String) {
    guard access(path, R_OK) == 0 else { return nil }
    bytes = SystemFile.bytes(of: path, maximumBytes: Self.maximumBytes, onlyFiles: true) ?? []
  }

  /// Whether all offsets are inside the file.
  var isValid: Bool {
    guard word(at: 0) == Self.magic, let count = word(at: 8), count < bytes.count / Self.entryBytes,
      let originals = word(at: 12), let translations = word(at: 16), hasValidHashTable(of: count),
      hasNoSystemTexts
    else { return false }
    return [originals, translations].allSatisfy { table in
      (0..<count).allSatisfy { hasText(at: table + $0 * Self.entryBytes) }
    }
  }

  /// For glibc, each entry of the table is the number of a text, counted from 1, or 0, which ends a search. A search visits
  /// all entries only if their number is prime. With two entries or less, glibc does not use the table.
  private func hasValidHashTable(of count: Int) -> Bool {
    guard let size = word(at: 20), let offset = word(at: 24), size <= bytes.count / 4,
      offset + size * 4 <= bytes.count
    else { return false }
    let numbers = (0..<size).compactMap { word(at: offset + $0 * 4) }
    return size <= 2 || (numbers.contains(0) && numbers.allSatisfy { $0 <= count } && Self.isPrime(size))
  }

  private static func isPrime(_ number: Int) -> Bool {
    (2...).prefix { $0 * $0 <= number }.allSatisfy { !number.isMultiple(of: $0) }
  }

  /// Minor revision 1 adds texts that depend on the system, which our catalogues do not have.
  private var hasNoSystemTexts: Bool { word(at: 4) == 0 }

  /// An entry of a table: a length and an offset; the text ends with a zero byte.
  private func hasText(at entry: Int) -> Bool {
    guard let length = word(at: entry), let offset = word(at: entry + 4) else { return false }
    let end = offset + length
    return offset >= Self.headerBytes && end < bytes.count && bytes[end] == 0
  }

  /// In little-endian byte order, that of all supported machines.
  private func word(at offset: Int) -> Int? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
  }
}
