// SPDX-License-Identifier: MIT

/// Text for a person that can still be translated: a fixed template, and what is inserted.
///
///     let phrase: Phrase = "The device is held \(device.rawValue)."
///     phrase.template     "The device is held %1$s."
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

  /// What is the same in every language, such as the words of another program.
  package init(verbatim text: String) {
    self.init("\(text)")
  }

  private init(_ phrase: Self) {
    self = phrase
  }

  /// - Parameter translated: takes a template, and returns that of another language, or the same.
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

  /// Whether there is anything to translate beside what is put in: words, or the signs by which a language joins them.
  private var isLanguage: Bool {
    Self.replacing(in: template, percent: "") { _ in "" }
      .contains { $0.isLetter || (inserts.count > 1 && !$0.isWhitespace) }
  }

  /// - Parameters:
  ///   - percent: stands for `%%`.
  ///   - insert: stands for `%1$s` (index 0) and the like; `nil` leaves it, so that a faulty catalogue loses nothing.
  private static func replacing(
    in template: String, percent: String, _ insert: (Int) -> String?
  ) -> String {
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

  /// "1$s" at the beginning: index 0, and what comes behind.
  private static func placeholder(_ text: Substring) -> (Int, Substring)? {
    let digits = text.prefix { ("0"..."9").contains($0) }
    let behind = text[digits.endIndex...]
    guard let number = Int(digits), number > 0, behind.hasPrefix("$s") else { return nil }
    return (number - 1, behind.dropFirst(2))
  }
}

/// An error that is told to people.
package protocol ErrorInWords: Error, CustomStringConvertible {
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

    package mutating func appendInterpolation(_ phrase: Phrase) {
      append(.phrase(phrase))
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      append(.verbatim(value.description))
    }

    /// What has no phrase keeps its words.
    package mutating func appendInterpolation(_ error: any Error) {
      append((error as? any ErrorInWords).map { .phrase($0.phrase) } ?? .verbatim("\(error)"))
    }

    package mutating func appendInterpolation(_ error: some ErrorInWords) {
      append(.phrase(error.phrase))
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
}

extension Phrase {
  /// One phrase, written in two pieces: the translator sees it as a whole. To say two phrases, each translated by
  /// itself, put them into one: `"\(first) \(second)"`.
  package static func + (first: Phrase, second: Phrase) -> Phrase {
    var whole = first
    whole.template += replacing(in: second.template, percent: "%%") { "%\(first.inserts.count + $0 + 1)$s" }
    whole.inserts += second.inserts
    return whole
  }
}
