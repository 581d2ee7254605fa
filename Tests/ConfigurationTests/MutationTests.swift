// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Mutations
import Testing

@testable import Configuration

/// Randomly mutated files: never a crash, never a hang, and always a diagnostic.
struct MutationTests {
  @Test func `no mutation crashes or hangs`() throws {
    let run = MutationRun(usual: 10_000)
    var kinds = Mutator(seeds: [[0]], tokens: [""], state: run.seed)
    var broken = 0
    run.feed(try Self.seeds(), tokens: Self.tokens) { bytes in
      let kind: ConfigurationFile.Kind = kinds.below(2) == 0 ? .rule : .settings
      let file = ConfigurationFile(path: "mutant.toml", kind: kind, layer: .user, content: .bytes(bytes))
      if Self.isBroken(file) { broken += 1 }
    }
    #expect(broken > run.count / 10)
    #expect(broken < run.count)
  }

  /// Texts that break parsers more often than random bytes.
  private static let tokens = [
    "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\"", "\"\"\"", "'", "'''", "#", "\n", "\r\n", "\0", "\t",
    "true", "nan", "inf", "-", "1e999", "0x", "1979-05-27T07:32:00Z", "\u{FEFF}", "\u{10FFFF}", "\\u0000",
    "é",
    "[desktop]", "match", "supported = ", "9223372036854775808", "a.b.c.d", "{a=1}", "[[[[[[[[",
  ]

  private static func isBroken(_ file: ConfigurationFile) -> Bool {
    let read = Configuration.read([file], on: .landscape)
    for file in read.ruleFiles { _ = file.rule?.summary }
    for diagnostic in read.diagnostics { #expect(diagnostic.description.utf8.count < 8000) }
    return read.hasErrors
  }

  private static func seeds() throws -> [[UInt8]] {
    let shipped = try ShippedFilesTests.shippedRules().compactMap { file -> [UInt8]? in
      if case .bytes(let bytes) = file.content { bytes } else { nil }
    }
    let broken = try BrokenFileTests.names.map { name in
      Array(try Data(contentsOf: BrokenFileTests.folder.appending(path: "\(name).toml")))
    }
    return shipped + broken.filter { $0.count < 2000 } + [Array(try ShippedFilesTests.settings().utf8)]
  }
}
