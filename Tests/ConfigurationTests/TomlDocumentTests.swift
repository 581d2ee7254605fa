// SPDX-License-Identifier: MIT

import Testing

@testable import Configuration

struct TomlDocumentTests {
  private static let manyDots = String(repeating: "a.", count: 5000)

  @Test func `dots in comments nest no tables`() throws {
    let entries = try TomlDocument.parse(Array("# \(Self.manyDots)\nlock = \"left\"\n".utf8))
    #expect(entries.map(\.key) == ["lock"])
  }

  @Test func `a comment sign inside a string hides no dots`() {
    let text = "x = { s = '''\n#''', \(Self.manyDots)b = 1 }\n"
    #expect(throws: TomlFailure.self) { try TomlDocument.parse(Array(text.utf8)) }
  }
}
