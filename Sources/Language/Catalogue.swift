// SPDX-License-Identifier: MIT

package import Autorotation
import CIntl
import Glibc
import System

/// The phrase in the user's language, chosen as by gettext: LANGUAGE, LC_ALL, LC_MESSAGES, LANG.
///
/// Phrases without a translation, and all phrases in the C locale, are English.
package func localized(_ phrase: Phrase) -> String {
  guard Catalogue.isWanted else { return phrase.description }
  return phrase.text(catalogue.translation)
}

/// The whole message in the user's language.
package func localized(_ message: Message) -> String { localized(message.phrase) }

/// Opened at the first phrase, which is printed before any second thread starts.
private let catalogue = Catalogue()

/// gettext's catalogue of this program: PREFIX/share/locale/LANGUAGE/LC_MESSAGES/autorotate.mo.
package struct Catalogue: Sendable {
  private static let domain = "autorotate"
  nonisolated(unsafe) fileprivate private(set) static var isWanted = true

  private let isOpen: Bool

  /// Switches to English, for output that programs read. Must be called before a second thread starts.
  package static func useEnglish() {
    isWanted = false
    // For strerror(3).
    setlocale(LC_MESSAGES, "C")
  }

  fileprivate init() {
    // In other character sets, English is used, which is readable in all of them.
    let directory = Environment.isUTF8() ? Self.directory : nil
    isOpen = directory.map { Self.isValid($0) && setlocale(LC_MESSAGES, "") != nil && Self.bind($0) } ?? false
  }

  fileprivate func translation(of template: String) -> String {
    guard isOpen else { return template }
    return template.withCString { english in
      String(cString: dgettext(Self.domain, english))
    }
  }

  /// Only LC_MESSAGES is set, so that numbers keep their dot. LC_CTYPE is not set either, so UTF-8 must be set for the
  /// catalogues; `libc` is the domain of strerror(3).
  private static func bind(_ directory: String) -> Bool {
    bindtextdomain(domain, directory)
    bind_textdomain_codeset("libc", "UTF-8")
    return bind_textdomain_codeset(domain, "UTF-8") != nil
  }

  /// Whether there is a catalogue for the user's languages, and all that gettext may open are valid.
  private static func isValid(_ directory: String) -> Bool {
    let files = languages.compactMap { CatalogueFile(path: "\(directory)/\($0)/LC_MESSAGES/\(domain).mo") }
    return !files.isEmpty && files.allSatisfy(\.isValid)
  }

  /// In the user's order, each with its fallbacks: "de_AT.UTF-8" to "de_AT" to "de".
  private static var languages: [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first ?? ""
    let names = variable("LANGUAGE")?.split(separator: ":").map(String.init) ?? [locale]
    return names.filter { !$0.contains("/") }.flatMap { name in
      let ends = name.indices.filter { "_.@".contains(name[$0]) }
      return [name] + ends.reversed().map { String(name[..<$0]) }
    }
  }

  /// TEXTDOMAINDIR, as in gettext(1), or else relative to the program: PREFIX/bin, PREFIX/share/locale.
  private static var directory: String? {
    variable("TEXTDOMAINDIR") ?? Environment.share.map { "\($0)/locale" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

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
    // Minor revision 1 adds texts that depend on the system, which our catalogues do not have.
    guard word(at: 0) == Self.magic, word(at: 4) == 0, let count = word(at: 8),
      count < bytes.count / Self.entryBytes, let originals = word(at: 12), let translations = word(at: 16),
      hasValidHashTable(of: count)
    else { return false }
    return [originals, translations].allSatisfy { table in
      (0..<count).allSatisfy { hasText(at: table + $0 * Self.entryBytes) }
    }
  }

  /// For glibc, each entry of the table is the number of a text, counted from 1, or 0, which ends a search. A search
  /// visits all entries only if their number is prime. With two entries or less, glibc does not use the table.
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
