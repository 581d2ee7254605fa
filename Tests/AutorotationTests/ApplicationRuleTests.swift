// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct ApplicationRuleTests {
  @Test(arguments: [
    ("mpv", "mpv"), ("mpv", "MPV"), ("Mpv", "mpv"), ("*", ""), ("*", "anything"), ("", ""), ("m?v", "mpv"),
    ("org.*.Evince", "org.gnome.evince"), ("*a*b*c*", "xxaxxbxxcxx"), ("a**b", "ab"), ("*.exe", "a.b.exe"),
    ("?", "ä"), ("STRASSE*", "strasse 1"), ("*aab", "aaaab"),
    ("*b", "ab"), ("*ab", "aab"), ("a*bc", "axbc"), ("*?", "x"), ("*?c", "abc"),
  ])
  func `these patterns match these names`(_ pattern: String, _ name: String) {
    #expect(ApplicationRule.pattern(pattern, matches: name))
  }

  @Test(arguments: [
    ("mpv", "mpv2"), ("mpv", "xmpv"), ("m?v", "mv"), ("", "x"), ("?", ""), ("*.exe", "exe"), ("a*b", "a"),
    ("[m]pv", "mpv"), ("a*b*c", "acb"), ("mpv", ""), ("*ab", "axb"),
  ])
  func `these patterns do not match these names`(_ pattern: String, _ name: String) {
    #expect(!ApplicationRule.pattern(pattern, matches: name))
  }

  /// A naive matcher would take longer than the age of the universe. The limit only ends it.
  @Test(.timeLimit(.minutes(20)))
  func `many stars are matched quickly`() {
    let pattern = String(repeating: "a*", count: 200) + "b"
    #expect(!ApplicationRule.pattern(pattern, matches: String(repeating: "a", count: 2_000)))
  }

  @Test func `a title is cut and its pattern is matched quickly`() {
    let window = Window(id: 1, identifiers: ["foot"], title: String(repeating: "é", count: 1_000_000))
    #expect(window.title?.unicodeScalars.count == Window.maximumTitleLength)
    let stars = ApplicationRule(source: "", matches: ["foot"], titles: [String(repeating: "*é", count: 500)])
    #expect(!stars.applies(to: window))
    #expect(ApplicationRule(source: "", matches: ["foot"], titles: ["vi", "É*"]).applies(to: window))
  }

  @Test func `each condition makes a rule conditional`() {
    #expect(!ApplicationRule(source: "", matches: ["mpv"]).isConditional)
    #expect(ApplicationRule(source: "", matches: ["mpv"], titles: ["Film"]).isConditional)
    #expect(ApplicationRule(source: "", matches: ["mpv"], fullscreen: false).isConditional)
    #expect(ApplicationRule(source: "", matches: ["mpv"], postures: [.tablet]).isConditional)
    #expect(ApplicationRule(source: "", matches: ["mpv"], playing: false).isConditional)
  }

  @Test func `a rule for a title comes first in its layer`() {
    let window = Window(id: 1, identifiers: ["mpv"], title: "Film")
    let mine = ApplicationRule(source: "mine", layer: .user, matches: ["mpv"])
    let shipped = ApplicationRule(source: "shipped", layer: .shipped, matches: ["mpv"])
    let titled = ApplicationRule(source: "titled", layer: .shipped, matches: ["mpv"], titles: ["film"])
    #expect([shipped, titled].rule(for: window)?.source == "titled")
    #expect([shipped, titled].candidates(for: "mpv").map(\.source) == ["titled", "shipped"])
    #expect([shipped, titled, mine].rule(for: window)?.source == "mine")
    #expect([titled].rule(for: Window(id: 2, identifiers: ["mpv"])) == nil)
  }

  @Test func `a rule for a pattern is a candidate`() {
    let rule = ApplicationRule(source: "pattern", matches: ["org.*.Evince"])
    #expect([rule].candidates(for: "org.gnome.evince") == [rule])
  }

  @Test func `candidates end with the first rule without conditions`() {
    let fullscreen = ApplicationRule(source: "fullscreen", layer: .user, matches: ["mpv"], fullscreen: true)
    let always = ApplicationRule(source: "always", layer: .administrator, matches: ["mpv"])
    let shipped = ApplicationRule(source: "shipped", layer: .shipped, matches: ["mpv"])
    let candidates = [fullscreen, always, shipped].candidates(for: "mpv")
    #expect(candidates.map(\.source) == ["fullscreen", "always"])
  }

  @Test func `candidates of one layer keep their order`() {
    let rules = ["one", "two", "three"].map {
      ApplicationRule(source: $0, matches: ["mpv"], fullscreen: true)
    }
    #expect(rules.candidates(for: "mpv") == rules)
  }

  @Test func `the higher layer wins then the first rule`() throws {
    let window = Window(id: 1, identifiers: ["mpv"])
    let shipped = ApplicationRule(source: "shipped", layer: .shipped, matches: ["mpv"])
    let first = ApplicationRule(source: "first", matches: ["mpv"])
    let second = ApplicationRule(source: "second", matches: ["*"])
    let rule = try #require([shipped, first, second].rule(for: window))
    #expect(rule.source == "first")
    #expect([shipped, second, first].rule(for: window)?.source == "second")
    #expect([ApplicationRule]().rule(for: window) == nil)
  }
}
