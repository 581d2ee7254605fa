// SPDX-License-Identifier: MIT

import Autorotation
import Temporary
import Testing

@testable import Configuration

struct StrayFilesTests {
  private let home: TemporaryDirectory

  init() throws {
    home = try TemporaryDirectory()
  }

  private var directories: ConfigurationDirectories {
    ConfigurationDirectories(
      user: home["autorotate"], administrator: [home["etc"]], shipped: [home["usr"]])
  }

  private func diagnostics(_ files: String...) throws -> [String] {
    for file in files { try home.write("", to: file) }
    return Configuration.read(from: directories).diagnostics.map {
      "\($0.path.dropFirst(home.path.count + 1)) \($0.severity): \($0.message) \($0.advice?.description ?? "")"
    }
  }

  @Test(arguments: [
    ("mpv", "mpv.toml"), ("mpv.txt", "mpv.toml"), ("mpv.toml.txt", "mpv.toml"), ("mpv.TOML", "mpv.toml"),
    ("org.gnome.Totem", "org.gnome.Totem.toml"), ("mpv.tml", "mpv.toml"), (".conf", ".conf.toml"),
  ])
  func `a rule with a wrong name gets a suggestion`(_ name: String, _ right: String) {
    #expect(StrayFiles.ruleName(for: name) == right)
  }

  @Test(arguments: ["autorotate", "etc", "usr"])
  func `a file that is no rule is reported`(_ directory: String) throws {
    let found = try diagnostics("\(directory)/apps/mpv", "\(directory)/apps/vlc.toml")
    #expect(
      found == [
        "\(directory)/apps/mpv warning: is not read: the name of a rule file must end with .toml Rename it to mpv.toml."
      ])
  }

  @Test func `a hidden file among the rules is no rule`() throws {
    try home.write("match = \"mpv\"\nsupported = \"left\"\n", to: "autorotate/apps/.mpv.toml")
    try home.write("match = \"vlc\"\nsupported = \"left\"\n", to: "autorotate/apps/vlc.toml")
    #expect(Configuration.read(from: directories).settings.rules.map(\.matches) == [["vlc"]])
  }

  @Test func `a folder in apps is reported`() throws {
    #expect(
      try diagnostics("autorotate/apps/video/mpv.toml").first?.contains("a folder; rules in it are not read")
        == true)
  }

  @Test(arguments: [
    "apps/.mpv.toml.swp", "apps/mpv.toml~", "apps/#mpv.toml#", "apps/mpv.toml.bak", "apps/mpv.toml.off",
    "apps/mpv.toml.dpkg-dist", "apps/README", "did-rotate.d/10-wallpaper", "notes", "config.toml.orig",
    "hook.sh",
  ])
  func `backups and hooks are not reported`(_ name: String) throws {
    #expect(try diagnostics("autorotate/\(name)") == [])
  }

  @Test(arguments: [
    "autorotate/settings.toml", "autorotate/config", "autorotate/config.tml", "autorotate/Config.toml",
    "autorotate/conifg.toml", "autorotate/setings.toml", "autorotate/autorotate.toml",
    "autorotate/config.toml.txt", "autorotate.toml",
  ])
  func `settings with another name are reported`(_ path: String) throws {
    let found = try diagnostics(path)
    #expect(
      found == [
        "\(path) warning: is not read: settings belong in config.toml Rename it to \(home["autorotate/config.toml"])."
      ])
  }

  @Test func `misnamed settings are not to replace config TOML`() throws {
    let found = try diagnostics("autorotate/config.toml", "autorotate/settings.toml")
    #expect(
      found.count == 1 && found[0].hasSuffix("Move its contents into \(home["autorotate/config.toml"])."))
  }

  @Test func `a rule next to config TOML belongs in apps`() throws {
    #expect(
      try diagnostics("etc/mpv.toml").first?.hasSuffix("If it is a rule, move it into \(home["etc/apps"]).")
        == true)
  }

  @Test(arguments: ["rules", "app", "Apps", "apps.d"])
  func `a folder of rules with another name is reported`(_ name: String) throws {
    #expect(try diagnostics("autorotate/\(name)/mpv.toml").first?.contains("rules belong in apps") == true)
  }

  @Test func `a programs own data is not reported`() throws {
    #expect(try diagnostics("usr/settings.toml", "usr/greeter/greetd.toml") == [])
  }

  // MARK: Broken rules

  private func faults(_ text: String, of application: String) throws -> [Phrase] {
    try home.write(text, to: "autorotate/apps/video.toml")
    return Configuration.read(from: directories).faults(ofRulesFor: [application])
  }

  @Test(arguments: ["mpv", "MPV", "video"])
  func `a broken rule is found by application and file name`(_ application: String) throws {
    let faults = try faults("match = [\"mpv\", \"x*\"]\nsupported = \"landscpae\"\n", of: application)
    #expect(faults.count == 1)
    #expect(faults.first?.description.hasPrefix(home["autorotate/apps/video.toml:2:13: error: "]) == true)
  }

  @Test func `an invalid rule is found by file name`() throws {
    #expect(try faults("match = [[[\n", of: "video").count == 1)
    #expect(try faults("match = [[[\n", of: "mpv").isEmpty)
  }

  @Test func `a valid rule has no faults`() throws {
    #expect(try faults("match = \"mpv\"\nsupported = \"landscape\"\n", of: "mpv").isEmpty)
  }
}
