// SPDX-License-Identifier: MIT

/// Text for the user that can still be translated: a fixed template, and what is inserted.
///
///     let phrase: Phrase = "Device orientation: \(device.rawValue)."
///     phrase.template     "Device orientation: %1$s."
///     phrase.inserts      [.verbatim("left-up")]
///
/// The template is the msgid of gettext's catalogues. Inserts are numbered, since other languages need them in
/// another order. A percent sign of the text itself is doubled, as in C.
package struct Phrase: Hashable, Sendable {
  package enum Insert: Hashable, Sendable {
    /// A name, a number, a path: the same in every language.
    case verbatim(String)
    case phrase(Phrase)
  }

  package private(set) var template: String
  package private(set) var inserts: [Insert]

  /// Text that is never translated, such as the messages of another program.
  package init(verbatim text: String) {
    self = "\(text)"
  }

  /// - Parameter translated: returns the template in another language, or unchanged.
  package func text(_ translated: (String) -> String) -> String {
    let texts = inserts.map { insert in
      switch insert {
      case .verbatim(let text): text
      case .phrase(let phrase): phrase.text(translated)
      }
    }
    let words = isLanguage ? translated(template) : template
    return Self.replacing(in: words, percent: "%") { texts.indices.contains($0) ? texts[$0] : nil }
  }

  /// Whether the template has anything to translate besides the inserts: words, or the punctuation that joins them.
  private var isLanguage: Bool {
    Self.replacing(in: template, percent: "") { _ in "" }
      .contains { $0.isLetter || (inserts.count > 1 && !$0.isWhitespace) }
  }

  /// - Parameters:
  ///   - percent: stands for `%%`.
  ///   - insert: the text for `%1$s` (index 0) and so on; `nil` keeps the placeholder, so that a faulty catalogue loses
  ///     nothing.
  private static func replacing(in template: String, percent: String, _ insert: (Int) -> String?) -> String {
    guard template.utf8.contains(UInt8(ascii: "%")) else { return template }
    var text = ""
    var rest = template[...]
    while let sign = rest.firstIndex(of: "%") {
      text += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      if rest.first == "%" {
        text += percent
        rest.removeFirst()
      } else if let (index, behind) = placeholder(rest), let insert = insert(index) {
        text += insert
        rest = behind
      } else {
        text += "%"
      }
    }
    return text + rest
  }

  /// "1$s" at the beginning: index 0, and the rest behind it.
  private static func placeholder(_ text: Substring) -> (Int, Substring)? {
    let digits = text.prefix { ("0"..."9").contains($0) }
    let behind = text[digits.endIndex...]
    guard let number = Int(digits), number > 0, behind.hasPrefix("$s") else { return nil }
    return (number - 1, behind.dropFirst(2))
  }
}

/// An error with a message that can be translated.
package protocol UserFacingError: Error, CustomStringConvertible {
  var phrase: Phrase { get }
}

extension Phrase: CustomStringConvertible {
  /// In English.
  package var description: String { text { $0 } }
}

extension Phrase: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""
    fileprivate var inserts: [Insert] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      template.reserveCapacity(literalCapacity + interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) {
      for character in literal { template += character == "%" ? "%%" : String(character) }
    }

    package mutating func appendInterpolation(_ phrase: Phrase) { append(.phrase(phrase)) }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      append(.verbatim(value.description))
    }

    /// An error without a phrase is inserted as it is.
    package mutating func appendInterpolation(_ error: any Error) {
      append((error as? any UserFacingError).map { .phrase($0.phrase) } ?? .verbatim("\(error)"))
    }

    private mutating func append(_ insert: Insert) {
      inserts.append(insert)
      template += "%\(inserts.count)$s"
    }
  }

  package init(stringLiteral text: String) {
    var parts = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
    parts.appendLiteral(text)
    self.init(stringInterpolation: parts)
  }

  package init(stringInterpolation parts: StringInterpolation) {
    template = parts.template
    inserts = parts.inserts
  }

  /// Joins two pieces of one phrase, which translators see as a whole. To insert two phrases that are translated
  /// separately, write `"\(first) \(second)"`.
  package static func + (first: Phrase, second: Phrase) -> Phrase {
    var whole = first
    whole.template += replacing(in: second.template, percent: "%%") { "%\(first.inserts.count + $0 + 1)$s" }
    whole.inserts += second.inserts
    return whole
  }
}
