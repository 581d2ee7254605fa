// SPDX-License-Identifier: MIT

import Glibc

/// A catalogue as msgfmt(1) writes it: seven words of 32 bits, and two tables of lengths and places of texts.
///
/// glibc believes what stands in it, and one that was cut off (a full disk) would end the program.
struct CatalogueFile {
  private let bytes: [UInt8]

  private static let magic = 0x9504_12DE
  private static let headerBytes = 28
  private static let entryBytes = 8
  /// Far more than any language needs.
  private static let mostBytes = 4_000_000

  /// - Returns: `nil` if there is no such file.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else {
      bytes = []
      return
    }
    let size = min(Int(file.st_size), Self.mostBytes)
    bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, size))
    }
  }

  /// Whether all that it refers to is in it.
  var isSound: Bool {
    guard word(at: 0) == Self.magic, let count = word(at: 8), count < bytes.count / Self.entryBytes,
      let originals = word(at: 12), let translations = word(at: 16), hasSoundHashing(of: count),
      hasNoSystemTexts
    else { return false }
    return [originals, translations].allSatisfy { table in
      (0..<count).allSatisfy { hasText(at: table + $0 * Self.entryBytes) }
    }
  }

  /// glibc takes each place of the table for the number of a text, counted from 1, or for none, which ends a search; and
  /// it comes by each of them only if there is a prime number of them. It searches without a table of two or less.
  private func hasSoundHashing(of count: Int) -> Bool {
    guard let size = word(at: 20), let place = word(at: 24), size <= bytes.count / 4,
      place + size * 4 <= bytes.count
    else { return false }
    let numbers = (0..<size).compactMap { word(at: place + $0 * 4) }
    return size <= 2 || (numbers.contains(0) && numbers.allSatisfy { $0 <= count } && Self.isPrime(size))
  }

  private static func isPrime(_ number: Int) -> Bool {
    (2...).prefix { $0 * $0 <= number }.allSatisfy { !number.isMultiple(of: $0) }
  }

  /// Texts that differ from machine to machine, which ours have not, are a part of their own: minor revision 1.
  private var hasNoSystemTexts: Bool { word(at: 4) == 0 }

  /// An entry of a table: a length, and the place of as many bytes, with a zero behind.
  private func hasText(at entry: Int) -> Bool {
    guard let length = word(at: entry), let place = word(at: entry + 4) else { return false }
    let end = place + length
    return place >= Self.headerBytes && end < bytes.count && bytes[end] == 0
  }

  /// In the order of bytes of the machines that we run on.
  private func word(at place: Int) -> Int? {
    guard place >= 0, place + 4 <= bytes.count else { return nil }
    return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) }
  }
}
