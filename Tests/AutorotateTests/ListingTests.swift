// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import Configuration
@testable import autorotate

/// The output of `check`, `config list` and `rule list`.
struct ListingTests {
  private func file(
    _ path: String, _ kind: ConfigurationFile.Kind, _ layer: ApplicationRule.Layer, _ text: String
  ) -> ConfigurationFile {
    ConfigurationFile(path: path, kind: kind, layer: layer, content: .bytes(Array(text.utf8)))
  }

  private func problems(_ errors: Int, _ warnings: Int) -> [Diagnostic] {
    (0..<errors).map { Diagnostic(severity: .error, path: "\($0)", message: "wrong") }
      + (0..<warnings).map { Diagnostic(severity: .warning, path: "\($0)", message: "odd") }
  }

  @Test(arguments: [
    (0, 0, "No problems found"), (1, 0, "1 error"), (2, 1, "2 errors, 1 warning"), (0, 3, "3 warnings"),
  ])
  func `check ends with the number of problems`(errors: Int, warnings: Int, line: String) {
    let note = Diagnostic(severity: .note, path: "a", message: "good to know")
    #expect(Check.summary(problems(errors, warnings) + [note]) == line)
  }

  @Test func `config list shows all settings, and where changed ones are`() {
    let text = "[desktop]\nrotate-in = \"tablet\"\n"
    let lines = ConfigList.lines(.read([file("u/config.toml", .settings, .user, text)]))
    #expect(lines.count == SettingKey.all.count)
    #expect(lines.contains("desktop.rotate-in = tablet  (u/config.toml:2)"))
    #expect(lines.contains("lock.over-apps = false"))
  }

  @Test func `rule list shows rules that apply and that do not`() {
    let landscape =
      "match = \"a\"\nsupported = [\"landscape\", \"left\"]\nfullscreen = true\npreferred = \"left\"\n"
    let read = Configuration.read([
      file("u/a.toml", .rule, .user, landscape), file("u/b.toml", .rule, .user, ""),
      file("u/c.toml", .rule, .user, "match = 1\n"),
      file("s/a.toml", .rule, .shipped, "match = [\"a\", \"aa\"]\nauto-rotate = false\n"),
      file("s/b.toml", .rule, .shipped, "match = \"b\"\nauto-rotate = false\n"),
      file("s/d.toml", .rule, .shipped, "match = [\"d\", \"dd\"]\nauto-rotate = false\nfullscreen = false\n"),
    ])
    let lines = read.ruleFiles.map(\.line)
    let parts = [
      "a while fullscreen: landscape, left, prefers left  (u/a.toml:1", "u/c.toml: broken",
      "replaced by u/a.toml", "disabled by u/b.toml, which is empty",
      "d, dd while not fullscreen: keeps the current orientation  (s/d.toml:1",
    ]
    for part in parts { #expect(lines.contains { $0.contains(part) }, "\(part) is not in \(lines)") }
    let broken = read.ruleFiles.first { $0.path == "u/c.toml" }
    #expect(broken?.line == "u/c.toml: broken; a running autorotate keeps its last valid version")
    #expect(broken?.isForAny(of: ["x", "C"]) == true && broken?.isForAny(of: ["a"]) == false)
  }
}
