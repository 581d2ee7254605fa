// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct PhraseTests {
  @Test func `a phrase keeps its template and inserts`() {
    let name = "mpv"
    let phrase: Phrase = "\(name) asks for \(3) of 100%."
    #expect(phrase.template == "%1$s asks for %2$s of 100%%.")
    #expect(phrase.inserts == [.verbatim("mpv"), .verbatim("3")])
    #expect(phrase.description == "mpv asks for 3 of 100%.")
  }

  @Test func `a thrown message is translated within a sentence`() {
    let thrown: any Error = Message(.desktopRotates, "GNOME rotates it")
    let phrase: Phrase = "not rotated (\(thrown))"
    let german = { $0 == "GNOME rotates it" ? "GNOME dreht es" : $0 }
    #expect(phrase.text(german) == "not rotated (GNOME dreht es)")
    let known: Phrase = "not rotated (\(Message(.desktopRotates, "GNOME rotates it")))"
    #expect(known.text(german) == "not rotated (GNOME dreht es)")
  }

  @Test func `a foreign error keeps its text`() {
    struct Other: Error, CustomStringConvertible { let description = "in its own words" }
    let phrase: Phrase = "not rotated (\(Other() as any Error))"
    #expect(phrase.text { _ in "nicht gedreht (%1$s)" } == "nicht gedreht (in its own words)")
  }

  @Test func `another language may reorder the inserts`() {
    let phrase: Phrase = "\("a") before \("b")"
    #expect(phrase.text { _ in "%2$s nach %1$s, %1$s" } == "b nach a, a")
  }

  @Test func `a phrase in a phrase is translated separately`() {
    let inner: Phrase = "locked to \("left")"
    let outer: Phrase = "state: \(inner)"
    let catalogue = ["locked to %1$s": "gesperrt auf %1$s", "state: %1$s": "Zustand: %1$s"]
    #expect(outer.text { catalogue[$0] ?? $0 } == "Zustand: gesperrt auf left")
  }

  @Test func `pieces of one sentence are one phrase`() {
    let phrase: Phrase = "\(1)% of \(2), " + "and \(3)% of \(4)"
    #expect(phrase.template == "%1$s%% of %2$s, and %3$s%% of %4$s")
    #expect(phrase.description == "1% of 2, and 3% of 4")
    #expect(phrase == "\(1)% of \(2), and \(3)% of \(4)")
  }

  /// The empty template is the key of a catalogue's header.
  @Test(arguments: ["", "%1$s", "(%1$s)", "%1$s %2$s", "→ 12 %%"])
  func `a template without letters is not translated`(template: String) {
    let phrases: [Phrase] = ["", "\("words")", "(\("words"))", "\("words") \("more")", "→ 12 %"]
    for phrase in phrases where phrase.template == template {
      #expect(phrase.text { _ in "HEADER" } == phrase.description)
    }
    #expect(phrases.contains { $0.template == template })
  }

  @Test func `inserts are never read as templates`() {
    let phrase: Phrase = "name: \("%2$s %1$s %% %n")\("x")"
    #expect(phrase.description == "name: %2$s %1$s %% %nx")
  }

  @Test(arguments: [
    "%", "%%%", "%1", "%1$", "%1$d", "%0$s", "%3$s", "%-1$s", "%99999999999999999999999$s", "%s%n", "% 1$s",
    "%١$s",
  ])
  func `a faulty translation loses nothing`(faulty: String) {
    let phrase: Phrase = "word \("a") \("b")"
    let said = phrase.text { _ in "Wort \(faulty)" }
    #expect(said == (faulty == "%%%" ? "Wort %%" : "Wort \(faulty)"))
  }

  /// Before, the fact and the next step were joined by an English colon in Chinese, too.
  @Test func `a message is joined by the punctuation of its language`() {
    let message = Message(.outputBlanked, "dark", next: "switch it on")
    let chinese = ["dark": "暗", "switch it on": "打开", "%1$s: %2$s": "%1$s：%2$s"]
    #expect(message.phrase.text { chinese[$0] ?? $0 } == "暗：打开")
  }

  @Test func `reasons in english equal their phrases`() {
    let reasons: [Reason] = [
      .locked(.left, nil), .locked(.left, .unfolded), .locked(.left, .focus(application: "mpv")),
      .noOutput(named: OutputChoice()), .noOutput(named: OutputChoice(["DP-1"])),
      .desktopRotates(Message(.desktopRotates, Phrase(verbatim: "GNOME rotates 100%1$s."))),
    ]
    let messages = reasons.map { $0.message(on: nil) }
    for message in messages { #expect(message.description == message.phrase.description) }
    #expect(messages[2].description == "Locked (left edge up) while mpv has focus.")
    #expect(messages[5].phrase.text { _ in "?" } == "GNOME rotates 100%1$s.")
  }
}
