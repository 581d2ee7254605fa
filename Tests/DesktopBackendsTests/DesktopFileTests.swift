// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("desktop file")
@MainActor
struct DesktopFileTests {
  private func file(_ text: String) -> DesktopFile {
    file(Array(text.utf8))
  }

  private func file(_ bytes: [UInt8]) -> DesktopFile {
    bytes.withUnsafeBytes { DesktopFile($0) }
  }

  @Test func `the orientations that a file declares are read`() {
    let found = file(
      """
      #!/usr/bin/env xdg-open
      [Desktop Entry]
      Name=Reader
      Name[de]=Leser
      StartupWMClass = Org.Reader
      X-Lomiri-Supported-Orientations=portrait;

      [Desktop Action new]
      StartupWMClass=wrong
      """)
    #expect(found.startupWMClass == "Org.Reader")
    #expect(found.orientations == [.portrait])
    #expect(!found.isHidden)
  }

  @Test func `a file without declarations is empty`() {
    #expect(file("[Desktop Entry]\nName=Plain\n") == file(""))
    #expect(file("[Desktop Entry]\nHidden=true\n").isHidden)
  }

  @Test func `only the group Desktop Entry is read`() {
    #expect(file("X-Ubuntu-Supported-Orientations=portrait\n[Desktop Entry]\nName=x").orientations == nil)
    #expect(file("[Other]\nX-Ubuntu-Supported-Orientations=portrait").orientations == nil)
    let second = "[Desktop Entry]\nX-Ubuntu-Supported-Orientations=portrait"
    #expect(file("[Desktop Entry]\nName=x\n[Other]\n\(second)").orientations == nil)
    #expect(
      file("[Other]\na=b\n[Desktop Entry]\nX-Ubuntu-Supported-Orientations=portrait").orientations
        == [.portrait])
  }

  @Test func `blanks around a line and a key are ignored`() {
    let declared = file("\t[Desktop Entry] \n \tX-Lomiri-Supported-Orientations \t=  portrait \r\n")
    #expect(declared.orientations == [.portrait])
    #expect(file("[Desktop Entry]\nStartupWMClass=  \n").startupWMClass == nil)
  }

  @Test(arguments: [
    ("Exec=mpv", "mpv"), ("Exec=/usr/bin/mpv --player %U", "mpv"), ("Exec=", nil), ("Exec=/", nil),
    ("Name=x", nil),
  ])
  func `the program is that of the command`(line: String, program: String?) {
    #expect(file("[Desktop Entry]\n\(line)\n").program == program)
  }

  @Test(arguments: [("true", true), ("false", false), ("1", false), ("", false)])
  func `only true hides an application`(value: String, isHidden: Bool) {
    #expect(file("[Desktop Entry]\nHidden=\(value)").isHidden == isHidden)
  }

  @Test func `the newer key has precedence`() {
    let newer = "X-Lomiri-Supported-Orientations"
    let older = "X-Ubuntu-Supported-Orientations"
    #expect(file("[Desktop Entry]\n\(older)=portrait\n\(newer)=landscape").orientations == [.landscape])
    #expect(file("[Desktop Entry]\n\(older)=portrait\n\(newer)=sideways").orientations == [.portrait])
    #expect(file("[Desktop Entry]\n\(newer)[de]=landscape").orientations == nil)
    #expect(file("[Desktop Entry]\n\(newer)=portrait\n\(newer)=landscape").orientations == [.portrait])
  }

  @Test func `invalid files are handled`() {
    let key = "X-Lomiri-Supported-Orientations"
    #expect(file("[Desktop Entry\n\(key)=portrait").orientations == nil)
    #expect(file("[Desktop Entry]\n\(key)").orientations == nil)
    #expect(file("[Desktop Entry]\n=portrait\n==\n\(key)==").orientations == nil)
    #expect(file("[Desktop Entry]\r\n\(key)=portrait\r\n").orientations == [.portrait])
    #expect(file([0xff, 0xfe, 0x0a] + Array("[Desktop Entry]\n\(key)=\u{1}".utf8)).orientations == nil)
    #expect(file([UInt8](repeating: 0, count: 100_000)).orientations == nil)
    #expect(file([UInt8](repeating: UInt8(ascii: "["), count: 100_000)).orientations == nil)
  }

  @Test func `random bytes do not crash`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("[]=;,\n\r\t XH-portrait\u{0}".utf8) + [0x80, 0xff]
    let seed = Array("[Desktop Entry]\nX-Lomiri-Supported-Orientations=portrait;landscape\n".utf8)
    for _ in 0..<2000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        bytes[bytes.indices.randomElement(using: &random) ?? 0] = alphabet.randomElement(using: &random) ?? 0
      }
      let found = file(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
      #expect(found.orientations.map { !$0.isEmpty } ?? true)
    }
  }
}

@Suite("value of X-Lomiri-Supported-Orientations")
@MainActor
struct DesktopFileOrientationsTests {
  @Test(
    arguments: [
      ("landscape", [.landscape]),
      ("portrait;", [.portrait]),
      ("landscape  ;  portrait;\tinvertedPortrait", [.landscape, .portrait, .portraitSecondary]),
      ("pOrTraIt,lANDScApE", [.portrait, .landscape]),
      ("inverted-landscape;Inverted_Portrait", [.landscapeSecondary, .portraitSecondary]),
      ("primary", [.natural]),
      ("primary;", [.natural]),
    ] as [(String, [OrientationName])])
  func `valid values are parsed`(value: String, words: [OrientationName]) {
    #expect(DesktopFileOrientations.words(value) == words)
  }

  @Test(
    arguments: [
      "", ";", " , ;", "this should not parse", "this;should;not;parse;", "primary;landscape",
      "landscape;primary", "foobar;landscape", "any", "landscape|portrait",
    ])
  func `invalid values are ignored`(value: String) {
    #expect(DesktopFileOrientations.words(value) == nil)
  }

  @Test func `landscape includes both landscape orientations`() {
    let wide = DesktopFileOrientations.words("landscape")?.mask(on: .portrait)
    #expect(wide == [OrientationMask(.left), OrientationMask(.right)])
    let inverted = DesktopFileOrientations.words("invertedLandscape")?.mask(on: .landscape)
    #expect(inverted == OrientationMask(.inverted))
  }
}
