// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// What the reader of our output can show.
struct TerminalStyle: Equatable {
  enum Paint: Int {
    case faint = 2
    case red = 31
    case green = 32
  }

  /// Whether there is more than ASCII.
  var isUnicode: Bool
  var hasColour: Bool

  init(isUnicode: Bool, hasColour: Bool) {
    self.isUnicode = isUnicode
    self.hasColour = hasColour
  }

  /// - Parameters:
  ///   - descriptor: what is written to.
  ///   - environment: looks a variable up. NO_COLOR is that of no-color.org.
  init(
    of descriptor: Int32, environment: (String) -> String? = Environment.variable
  ) {
    isUnicode = Self.isUTF8(environment)
    let wantsNone = !(environment("NO_COLOR") ?? "").isEmpty || Self.isDumb(environment)
    hasColour = !wantsNone && isatty(descriptor) == 1
  }

  /// Whether the terminal can only print line after line.
  static func isDumb(_ environment: (String) -> String?) -> Bool {
    ["", "dumb"].contains(environment("TERM") ?? "")
  }

  /// The terminal's width; `nil` if `descriptor` is no terminal, or one that does not report it.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The first that is set decides, as in setlocale(3).
  private static func isUTF8(_ environment: (String) -> String?) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
    return ["utf-8", "utf8"].contains(where: locale.lowercased().contains)
  }

  func painted(_ text: String, _ paint: Paint) -> String {
    hasColour ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The text as far as it can be shown, without anything that would move the cursor.
  func shown(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isDisruptive {
        shown.append(scalar == "\n" ? " " : "?")
      } else if isUnicode || scalar.isASCII {
        shown.append(scalar)
      } else {
        shown.append(contentsOf: (Self.substitutes[scalar] ?? "?").unicodeScalars)
      }
    }
    return String(shown)
  }

  /// What we write beyond ASCII, in ASCII.
  private static let substitutes: [Unicode.Scalar: String] = [
    "“": "\"", "”": "\"", "’": "'", "…": "...", "–": "-", "—": "-", "→": "->", "·": "-", "²": "2",
    "°": " deg", "×": "x", "−": "-",
  ]
}
