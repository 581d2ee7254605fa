// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// Names that other programs choose are untrusted.
struct ForeignTextTests {
  private static let hostile = [
    "\u{1B}]0;owned\u{7}", "two\nlines", "carriage\rreturn", "\u{9B}31m", "del\u{7F}ete", "\u{202E}txt.exe",
    "\u{2066}isolated\u{2069}", "line\u{2028}separator", "\u{200F}mark", "zero\0byte",
    "no\u{FFFE}character", "none\u{10FFFF}either",
  ]

  /// Before, the class of a window was printed to terminal and journal unchanged.
  @Test(arguments: hostile)
  func `names of windows and outputs cannot move the cursor`(_ name: String) {
    let window = Window(id: 1, identifiers: [name, "mpv"])
    let output = Output(name: name, isBuiltIn: true, width: 1, height: 1)
    for text in window.identifiers + [output.name] {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
      #expect(!text.unicodeScalars.contains { $0.properties.isBidiControl || $0 == "\u{2028}" })
      #expect(!text.unicodeScalars.contains { $0.properties.isNoncharacterCodePoint })
    }
    #expect(window.identifiers.last == "mpv")
  }

  @Test func `long names are cut`() {
    let window = Window(id: 1, identifiers: [String(repeating: "x", count: 1 << 20)])
    #expect(window.identifiers == [String(repeating: "x", count: 200)])
  }

  @Test func `kept outputs are listed by name`() {
    let kept = KeptRotations(["DP-2": .left, "HDMI-1": .inverted, "DP-1": .right])
    #expect(kept.sorted.map(\.key) == ["DP-1", "DP-2", "HDMI-1"])
  }

  @Test func `lines stay, and are as long as they are`() {
    let long = String(repeating: "x", count: 5000)
    #expect("a\n\u{1B}[2J\n\n\(long)".printableLines == "a\n [2J\n\n\(long)")
    #expect("a\r\nb".printableLines == "a  b")
  }

  @Test(arguments: [
    ("mpv", "mpv"), ("org.a/a-b_c+d@e:1", "org.a/a-b_c+d@e:1"), ("", "''"), ("a b", "'a b'"),
    ("$(reboot)", "'$(reboot)'"), ("it's", #"'it'\''s'"#), (#"a\b"#, #"'a'\\'b'"#),
    (String(repeating: "*", count: 2000), "'\(String(repeating: "*", count: 1000))'"),
  ])
  func `an argument is one word to a shell`(_ name: String, _ argument: String) {
    #expect(name.asArgument == argument)
  }

  @Test(arguments: ["mpv", "org.gnome.Loupe", "Файлы", "微信", "नमस्ते\u{200D}", "👨‍👩‍👧", "eDP-1", ""])
  func `other names stay as they are`(_ name: String) {
    #expect(name.printable() == name)
  }

  @Test(arguments: ["a", "é", "e\u{301}", "Ж", "微", "नी"])
  func `letters and the signs on them are of a word`(_ text: String) {
    #expect(text.unicodeScalars.allSatisfy { $0.isOfWord })
  }

  @Test(arguments: [" ", ";", "$", "`", "1", "\n", "→"])
  func `other characters are not of a word`(_ text: String) {
    #expect(!text.unicodeScalars.contains { $0.isOfWord })
  }

  @Test func `a control character has four digits in JSON`() {
    #expect(JSON.string("\u{1B}[2J\u{1}").description == #""\u001b[2J\u0001""#)
    #expect(JSON.string("\u{2028}").description == #""\u2028""#)
  }

  /// A command with half of a path would concern another file.
  @Test func `a long path is a whole argument`() {
    let path = "/my files/" + String(repeating: "x", count: 900)
    #expect(path.asArgument == "'\(path)'")
  }
}
