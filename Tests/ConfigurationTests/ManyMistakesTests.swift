// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import Configuration

/// Formatting seven thousand mistakes in one file took two seconds.
struct ManyMistakesTests {
  private func rule(_ text: String, named path: String = "/user/apps/a.toml") -> Configuration {
    Configuration.read([ConfigurationFile(path: path, kind: .rule, layer: .user, text: text)])
  }

  @Test func `the first mistakes are shown and the others counted`() {
    let keys = (1...7000).map { "k\($0)=1\n" }.joined()
    let diagnostics = rule(keys).diagnostics
    #expect(diagnostics.count == DiagnosticLog.maximumDiagnostics + 1)
    #expect(diagnostics.contains { $0.message.description == "and 6950 more mistakes, which are not shown" })
  }

  /// A rule with an error does not apply, regardless of warnings before it.
  @Test func `an error after many warnings is reported`() {
    let names = (1...100).map { "\"a\($0).desktop\"" }.joined(separator: ", ")
    let read = rule("match = [\(names)]\nfullscreen = 7\n")
    #expect(read.settings.rules.isEmpty)
    #expect(read.diagnostics.contains { $0.severity == .error })
  }

  @Test func `the name of a file cannot move the cursor`() {
    let diagnostics = rule("fulscreen = true\n", named: "/user/apps/\u{1B}]0;owned\u{7}\n.toml").diagnostics
    #expect(!diagnostics.isEmpty)
    for diagnostic in diagnostics {
      #expect(
        !"\(diagnostic)".unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
      #expect(!diagnostic.headline.description.contains("\n"))
    }
  }
}
