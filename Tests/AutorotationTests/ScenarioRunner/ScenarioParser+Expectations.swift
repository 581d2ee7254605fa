// SPDX-License-Identifier: MIT

import Autorotation

// What a scenario expects.
extension ScenarioParser {
  mutating func readExpected(_ words: Words) throws {
    var words = words
    let time = try Self.time(&words)
    let keyword = try words.next("an expectation")
    switch (keyword, time) {
    case ("nothing", nil): break
    case (_, nil): try readNever(keyword, &words)
    case (_, let time?): try readExpected(keyword, &words, at: time)
    }
    try words.finish()
  }

  /// `reports nothing`: not once.
  private mutating func readNever(_ keyword: String, _ words: inout Words) throws {
    guard Expectations.listed.contains(keyword), words.take("nothing") else {
      throw words.mistake("a time is missing before '\(keyword)' (without one: nothing, or '… nothing')")
    }
    scenario.expected.lists[keyword, default: []] += []
  }

  private mutating func readExpected(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    switch keyword {
    case "rotate":
      try expectRotation(keyword, readRotation(&words), words.line, at: time)
    case "will", "did":
      try expectRotation(keyword, [words.orientation().word] + readSize(&words), words.line, at: time)
    case "saves", "suggests":
      let what = words.take("nothing") ? "nothing" : try words.orientation().word
      expect(keyword, [what], words.line, at: time)
    case "repairs": expect(keyword, [], words.line, at: time)
    case "rotates", "keeps", "remembers":
      expect(keyword, words.restOfLine().split(separator: " ").map(String.init), words.line, at: time)
    case "reports", "refuses": expect(keyword, [words.restOfLine()], words.line, at: time)
    default: try readCheck(keyword, &words, at: time)
    }
  }

  private mutating func expect(_ list: String, _ what: [String], _ line: Int, at time: Instant) {
    scenario.expected.lists[list, default: []].append(.init(line: line, time: time, words: [list] + what))
  }

  private mutating func expectRotation(_ keyword: String, _ what: [String], _ line: Int, at time: Instant)
    throws
  {
    scenario.expected.rotations.append(.init(line: line, time: time, words: [keyword] + what))
  }

  /// `WORD [by DEGREES] [on OUTPUT…]`.
  private func readRotation(_ words: inout Words) throws -> [String] {
    var rotation = [try words.orientation().word]
    if words.take("by") {
      rotation += ["by", try words.choice("an angle", ["0": "0", "90": "90", "180": "180", "270": "270"])]
    }
    if words.take("on") { rotation += ["on", try words.next("an output")] }
    while !words.isDone { rotation.append(try words.next("an output")) }
    return rotation
  }

  private func readSize(_ words: inout Words) throws -> [String] {
    guard !words.isDone else { return [] }
    let word = try words.next("a size")
    guard Words.size(word) != nil else { throw words.mistake("'\(word)' is not a size such as 800x1280") }
    return [word]
  }
}
