// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Testing

/// Files that are valid separately, but contradict each other.
struct ContradictionTests {
  private func read(
    desktop: String? = nil, by owner: ApplicationRule.Layer = .user,
    _ rules: [(ApplicationRule.Layer, String)],
    on aspect: PanelAspect? = nil
  ) -> [String] {
    var files: [ConfigurationFile] = []
    if let desktop {
      files.append(
        ConfigurationFile(
          path: "config.toml", kind: .settings, layer: owner, text: "[desktop]\nsupported = \(desktop)\n"))
    }
    for (index, (layer, text)) in rules.enumerated() {
      files.append(ConfigurationFile(path: "\(layer)/\(index).toml", kind: .rule, layer: layer, text: text))
    }
    return Configuration.read(files, on: aspect).diagnostics.map(\.headline.description)
  }

  @Test func `a rule without allowed orientations is an error`() {
    #expect(
      read(desktop: "[\"landscape\"]", [(.user, "match = \"a\"\nsupported = [\"portrait\"]\n")]) == [
        "user/0.toml:2:13: error: allows no orientation that the desktop allows (at config.toml:2), "
          + "so it does not apply"
      ])
  }

  @Test func `a shipped rule without allowed orientations gets a note`() {
    for layer in [ApplicationRule.Layer.administrator, .shipped] {
      let said = read(desktop: "\"landscape\"", [(layer, "match = \"a\"\nsupported = [\"portrait\"]\n")])
      #expect(said.count == 1)
      #expect(said.allSatisfy { $0.contains(": note: allows no orientation") })
    }
  }

  @Test func `against the administrators settings it is a warning`() {
    let said = read(
      desktop: "\"landscape\"", by: .administrator, [(.user, "match = \"a\"\nsupported = \"portrait\"\n")])
    #expect(said.count == 1)
    #expect(said.allSatisfy { $0.contains(": warning: allows no orientation") })
  }

  /// {normal, inverted} and {left, right} have nothing in common; on the other kind of panel they are the same.
  @Test func `a contradiction on one panel is a warning there`() {
    let rules = [(ApplicationRule.Layer.user, "match = \"a\"\nsupported = [\"left\", \"right\"]\n")]
    #expect(read(desktop: "\"landscape\"", rules) == [])
    #expect(read(desktop: "\"landscape\"", rules, on: .portrait) == [])
    #expect(
      read(desktop: "\"landscape\"", rules, on: .landscape) == [
        "user/0.toml:2:13: warning: allows no orientation that the desktop allows on this panel "
          + "(at config.toml:2), so it does not apply"
      ])
  }

  @Test func `preferred may be outside supported on one panel`() {
    let rules = [
      (ApplicationRule.Layer.user, "match = \"a\"\nsupported = \"landscape\"\npreferred = \"left\"\n")
    ]
    #expect(read(rules) == [])
    #expect(read(rules, on: .portrait) == [])
    #expect(
      read(rules, on: .landscape) == [
        "user/0.toml:3:13: warning: \"left\" is not an allowed orientation of the rule on this panel"
      ])
  }

  @Test func `two files for one application`() {
    #expect(
      read([
        (.user, "match = [\"vlc\", \"mpv\"]\nsupported = \"landscape\"\n"),
        (.user, "match = \"MPV\"\nfullscreen = true\nauto-rotate = false\n"),
      ]) == ["user/1.toml:1:9: error: \"MPV\" is also matched by user/0.toml:1, which has precedence"])
  }

  @Test func `a rule behind one for all apps is a warning`() {
    let all = (ApplicationRule.Layer.user, "match = \"*\"\nsupported = \"portrait\"\n")
    let one = (ApplicationRule.Layer.user, "match = \"a\"\nsupported = \"landscape\"\n")
    #expect(
      read([all, one]) == [
        "user/1.toml:1:9: warning: this rule never applies: user/0.toml:1 matches the same apps, "
          + "and its file name comes first"
      ])
    #expect(read([one, all]) == [])
    let several = (ApplicationRule.Layer.user, "match = [\"a\", \"b\"]\nsupported = \"landscape\"\n")
    #expect(read([all, several]).map { $0.hasPrefix("user/1.toml:1:10: warning") } == [true])
    #expect(read([(.user, all.1 + "fullscreen = true\n"), one]) == [])
    #expect(read([all, (.user, one.1 + "title = \"b\"\n")]) == [])
    #expect(read([all, (.shipped, one.1)]) == [])
  }

  @Test func `two files that differ in fullscreen are fine`() {
    #expect(
      read([
        (.user, "match = \"mpv\"\nfullscreen = false\nsupported = \"portrait\"\n"),
        (.user, "match = \"mpv\"\nfullscreen = true\nsupported = \"landscape\"\n"),
      ]) == [])
  }

  @Test func `the first of two files has precedence`() {
    let files = ["a", "b"].map {
      ConfigurationFile(
        path: "apps/\($0).toml", kind: .rule, layer: .user,
        text: "match = \"mpv\"\nsupported = \"landscape\"\n")
    }
    let rule = Configuration.read(files).settings.rules.rule(for: Window(id: 1, identifiers: ["mpv"]))
    #expect(rule?.source == "apps/a.toml:1")
  }

  @Test func `an overridden rule gets a note`() {
    #expect(
      read([
        (.user, "match = \"mpv\"\nsupported = \"landscape\"\n"),
        (.shipped, "match = [\"io.mpv.Mpv\", \"mpv\"]\nsupported = \"landscape\"\n"),
      ]) == ["shipped/1.toml:1:24: note: for \"mpv\", user/0.toml:1 overrides this rule"])
  }
}
