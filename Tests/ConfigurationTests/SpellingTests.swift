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

  @Test func `of two words that are equally near the first is meant`() {
    #expect(Spelling.nearest(to: "rbte", among: ["rate", "rote"]) == "rate")
    #expect(Spelling.nearest(to: "rbte", among: ["rote", "rate"]) == "rote")
  }

  @Test func `words of more than 40 letters are not compared`() {
    let word = String(repeating: "a", count: 40)
    #expect(Spelling.nearest(to: word, among: ["a" + word]) == "a" + word)
    #expect(Spelling.nearest(to: word + "a", among: [word]) == nil)
  }

  @Test(arguments: ["", "xy", "artx", "suport", "suppxxxd"])
  func `a word that is too different means none`(word: String) {
    #expect(Spelling.nearest(to: word, among: ["lock", "rate", "supported"]) == nil)
  }
}
