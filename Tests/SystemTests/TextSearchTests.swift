// SPDX-License-Identifier: MIT

import System
import Testing

struct TextSearchTests {
  @Test(arguments: [("", false), ("-", false), ("a-usb", false), ("a-usb-b", true), ("-usb-", true)])
  func `a text contains another or not`(text: String, contains: Bool) {
    #expect(text.contains("-usb-") == contains)
  }

  @Test(arguments: [
    ("", ""), ("/", "|"), ("//", "||"), ("/ab/", "|ab|"), ("ä/ö", "ä|ö"), ("ab", "ab"),
  ])
  func `each occurrence is replaced`(text: String, expected: String) {
    #expect(text.replacing("/", with: "|") == expected)
  }

  @Test func `occurrences do not overlap`() {
    #expect("aaaaa".replacing("aa", with: "b") == "bba")
    #expect("aaaaa".components(separatedBy: "aa") == ["", "", "a"])
  }

  /// Together with the mark it is one character, and yet a backslash for all that read it.
  @Test func `a combining mark does not hide the character before it`() {
    let text = "a\\\u{301}b"
    #expect(Array(text.replacing("\\", with: "\\\\").utf8) == Array("a\\\\\u{301}b".utf8))
    #expect(text.contains("\\"))
    #expect(text[...].firstRange(of: "\\").map { String(text[$0]) } == "\\")
  }
}
