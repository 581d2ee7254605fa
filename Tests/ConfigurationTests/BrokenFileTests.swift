// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Testing

@testable import Configuration

/// Each `Broken/NAME.toml` gets the diagnostics of `Broken/NAME.expected`. Files named `config-…` are read as
/// config.toml, the others as rules. `UPDATE_EXPECTED=1 swift test --filter BrokenFileTests` updates
/// the expected files; read the difference before committing it.
struct BrokenFileTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Broken")

  static let names: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path()))?
    .filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }.sorted() ?? []

  @Test func `there are enough broken files`() {
    #expect(Self.names.count >= 40)
  }

  @Test(arguments: names)
  func `a broken file gets the expected diagnostics`(name: String) throws {
    let bytes = try Data(contentsOf: Self.folder.appending(path: "\(name).toml"))
    let file = ConfigurationFile(
      path: "\(name).toml", kind: name.hasPrefix("config-") ? .settings : .rule, layer: .user,
      content: .bytes(Array(bytes)))
    let read = Configuration.read([file])
    let said = read.diagnostics.map { "\($0)\n" }.joined(separator: "\n")
    let expected = Self.folder.appending(path: "\(name).expected")
    if ProcessInfo.processInfo.environment["UPDATE_EXPECTED"] != nil {
      try Data(said.utf8).write(to: expected)
    }
    #expect(said == String(decoding: try Data(contentsOf: expected), as: UTF8.self))
    #expect(!read.diagnostics.isEmpty)
    #expect(read.diagnostics.allSatisfy { $0.severity != .error || $0.advice != nil })
  }
}
