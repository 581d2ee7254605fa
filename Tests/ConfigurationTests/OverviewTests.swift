// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Testing

/// What `autorotate check` prints below the errors.
struct OverviewTests {
  private func file(
    _ path: String, _ kind: ConfigurationFile.Kind, _ layer: ApplicationRule.Layer, _ text: String
  ) -> ConfigurationFile {
    ConfigurationFile(path: path, kind: kind, layer: layer, text: text)
  }

  @Test func nothingAtAll() {
    #expect(
      Configuration.read([]).overview == ["All settings are the defaults.", "No rules are in force."])
  }

  @Test func whatAppliesAndWhatDoesNot() {
    let landscape =
      "match = \"a\"\nsupported = [\"landscape\", \"left\"]\nfullscreen = true\npreferred = \"left\"\n"
    let read = Configuration.read([
      file(
        "u/config.toml", .settings, .user, "[desktop]\nrotate-in = \"tablet\"\n[lock]\nover-apps = false\n"),
      file("u/a.toml", .rule, .user, landscape),
      file("u/b.toml", .rule, .user, ""),
      file("u/c.toml", .rule, .user, "match = 1\n"),
      file("s/a.toml", .rule, .shipped, "match = [\"a\", \"aa\"]\nauto-rotate = false\n"),
      file("s/b.toml", .rule, .shipped, "match = \"b\"\nauto-rotate = false\n"),
      file("s/d.toml", .rule, .shipped, "match = [\"d\", \"dd\"]\nauto-rotate = false\nfullscreen = false\n"),
    ])
    #expect(
      read.overview == [
        "Settings that are not the defaults:",
        "  [desktop] rotate-in = tablet  (u/config.toml:2)",
        "Rules in force, the nearest first:",
        "  a while fullscreen: landscape, left, rather left  (u/a.toml:1)",
        "  d, dd while not fullscreen: keeps what is shown  (s/d.toml:1)",
        "Rules not in force:",
        "  u/c.toml: broken",
        "  s/a.toml: replaced by u/a.toml",
        "  s/b.toml: switched off by u/b.toml, which is empty",
      ])
  }
}
