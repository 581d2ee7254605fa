// SPDX-License-Identifier: MIT

import Testing

@testable import Configuration

struct SpellingTests {
  @Test(arguments: [
    ("arte", "rate"), ("raet", "rate"), ("rat", "rate"), ("ratee", "rate"), ("Rate-", "rate"),
    ("r_a-t e", "rate"),
    ("sopported", "supported"), ("spuproted", "supported"), ("suported", "supported"),
  ])
  func `a mistyped word means the nearest one`(_ word: String, _ meant: String) {
    #expect(Spelling.nearest(to: word, among: ["lock", "rate", "supported"]) == meant)
  }

  @Test(arguments: ["", "xy", "artx", "suport", "suppxxxd"])
  func `a word that is too different means none`(word: String) {
    #expect(Spelling.nearest(to: word, among: ["lock", "rate", "supported"]) == nil)
  }
}
