// SPDX-License-Identifier: MIT

import Autorotation

/// A mistake in a scenario.
struct ScenarioMistake: Error, CustomStringConvertible {
  var line: Int
  var text: String

  var description: String { "\(line): \(text)" }
}

/// The words of one line, read one after the other. Reading a missing or wrong word throws a mistake with the line.
struct Words {
  let line: Int
  private var rest: ArraySlice<Substring>

  init(_ text: some StringProtocol, line: Int) {
    self.line = line
    rest = text.split(whereSeparator: \.isWhitespace).map { Substring($0) }[...]
  }

  var isDone: Bool { rest.isEmpty }

  func mistake(_ text: String) -> ScenarioMistake {
    ScenarioMistake(line: line, text: text)
  }

  mutating func next(_ what: String) throws -> String {
    guard let word = rest.popFirst() else { throw mistake("\(what) is missing") }
    return String(word)
  }

  /// Takes the next word only if it is this one.
  mutating func take(_ word: String) -> Bool {
    guard rest.first.map(String.init) == word else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes the next word only if it has a meaning.
  mutating func take<Meaning>(_ meaning: (String) throws -> Meaning?) rethrows -> Meaning? {
    guard let first = rest.first, let found = try meaning(String(first)) else { return nil }
    rest.removeFirst()
    return found
  }

  mutating func expect(_ word: String) throws {
    guard take(word) else {
      throw mistake("'\(word)' is missing\(rest.first.map { " before '\($0)'" } ?? "")")
    }
  }

  mutating func restOfLine() -> String {
    defer { rest = [] }
    return rest.joined(separator: " ")
  }

  func finish() throws {
    if let word = rest.first { throw mistake("'\(word)' means nothing here") }
  }
}

// MARK: Words with a meaning

extension Words {
  mutating func choice<Meaning>(_ what: String, _ table: KeyValuePairs<String, Meaning>) throws -> Meaning {
    let word = try next(what)
    guard let match = table.first(where: { $0.key == word }) else {
      let known = table.map(\.key).joined(separator: ", ")
      throw mistake("'\(word)' is not \(what): \(known)")
    }
    return match.value
  }

  mutating func raw<Word: RawRepresentable<String> & CaseIterable>(_ what: String, _: Word.Type) throws
    -> Word
  {
    let word = try next(what)
    guard let match = Word(rawValue: word) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw mistake("'\(word)' is not \(what): \(known)")
    }
    return match
  }

  mutating func orientation() throws -> InterfaceOrientation {
    let word = try next("an orientation")
    guard let orientation = InterfaceOrientation(word: word) else {
      throw mistake("'\(word)' is not an orientation: normal, left, inverted, right")
    }
    return orientation
  }

  /// One or more words of a mask.
  mutating func mask() throws -> [OrientationName] {
    var mask = [try raw("an orientation word", OrientationName.self)]
    while let word = take({ OrientationName(rawValue: $0) }) { mask.append(word) }
    return mask
  }

  mutating func yesOrNo() throws -> Bool {
    try choice("yes or no", ["yes": true, "no": false, "on": true, "off": false])
  }

  mutating func number(_ what: String) throws -> Double {
    let word = try next(what)
    guard let number = Double(word) else { throw mistake("'\(word)' is not \(what)") }
    return number
  }

  /// Seconds, or with a unit: "0.5", "0.5s", "30m", "2h".
  mutating func duration(_ what: String) throws -> Duration {
    let word = try next(what)
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    let unit = word.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? word[...] : word.dropLast()), number >= 0 else {
      throw mistake("'\(word)' is not \(what), such as 0.5 or 30m")
    }
    return .seconds(number * (unit ?? 1))
  }

  /// "1280x800".
  static func size(_ word: String) -> (width: Int, height: Int)? {
    let sides = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
      return nil
    }
    return (width, height)
  }
}
