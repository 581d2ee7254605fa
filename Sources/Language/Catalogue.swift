// SPDX-License-Identifier: MIT

package import Autorotation
import CIntl
import Glibc

/// The phrase in the language of the person, as gettext finds it: LANGUAGE, LC_ALL, LC_MESSAGES, LANG.
///
/// What no catalogue has, and everything in the C locale, is English.
package func localized(_ phrase: Phrase) -> String {
  guard Catalogue.isWanted else { return phrase.description }
  return phrase.text(catalogue.translation)
}

/// Opened at the first phrase, which is said before any second thread starts.
private let catalogue = Catalogue()

/// gettext's catalogue of this program: PREFIX/share/locale/LANGUAGE/LC_MESSAGES/autorotate.mo.
package struct Catalogue: Sendable {
  private static let domain = "autorotate"
  nonisolated(unsafe) fileprivate private(set) static var isWanted = true

  private let isOpen: Bool

  /// For what programs read: English from now on. To be called before a second thread starts.
  package static func speakEnglish() {
    isWanted = false
    // For strerror(3).
    setlocale(LC_MESSAGES, "C")
  }

  fileprivate init() {
    isOpen = Self.isUTF8 && setlocale(LC_MESSAGES, "") != nil && Self.bind()
  }

  fileprivate func translation(of template: String) -> String {
    guard isOpen else { return template }
    return template.withCString { english in
      String(cString: dgettext(Self.domain, english))
    }
  }

  /// Numbers keep their dot, as no other category is set. With the set of characters unset, too, it has to be said
  /// that everything we write is UTF-8; `libc` is the domain of strerror(3).
  private static func bind() -> Bool {
    if let directory { bindtextdomain(domain, directory) }
    bind_textdomain_codeset("libc", "UTF-8")
    return bind_textdomain_codeset(domain, "UTF-8") != nil
  }

  /// TEXTDOMAINDIR, as gettext(1) knows it, else beside the program: PREFIX/bin, PREFIX/share/locale.
  private static var directory: String? {
    if let directory = variable("TEXTDOMAINDIR") { return directory }
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    let parts = String(cString: program).split(separator: "/").dropLast(2)
    return "/" + (parts + ["share", "locale"]).joined(separator: "/")
  }

  /// In another set of characters than UTF-8, English is at least readable.
  private static var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first ?? ""
    return ["utf-8", "utf8"].contains(where: locale.lowercased().contains)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
