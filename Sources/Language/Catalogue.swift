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
package func localized(_ message: Message) -> String {
  localized(message.phrase)
}

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
    isOpen =
      directory.map { Self.isValid($0) && setlocale(LC_MESSAGES, "") != nil && Self.bind($0) } ?? false
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
    if let directory = variable("TEXTDOMAINDIR") { return directory }
    return Environment.prefix.map { "\($0)/share/locale" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
