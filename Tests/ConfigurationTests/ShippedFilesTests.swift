// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Testing

@testable import Configuration

/// The installed files in `Config`.
struct ShippedFilesTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Config")

  static func shippedRules() throws -> [ConfigurationFile] {
    let apps = folder.appending(path: "apps")
    return try FileManager.default.contentsOfDirectory(atPath: apps.path()).sorted().map { name in
      ConfigurationFile(
        path: "/usr/share/autorotate/apps/\(name)", kind: .rule, layer: .shipped,
        text: try String(contentsOf: apps.appending(path: name), encoding: .utf8))
    }
  }

  static func settings() throws -> String {
    try String(contentsOf: folder.appending(path: "config.toml"), encoding: .utf8)
  }

  @Test func `shipped rules are valid and do not overlap`() throws {
    let files = try Self.shippedRules()
    let read = Configuration.read(files)
    #expect(read.diagnostics.map(\.description) == [])
    #expect(read.settings.rules.count == files.count)
    #expect(files.count >= 25)
  }

  @Test func `shipped rules are valid as the users own`() throws {
    let files = try Self.shippedRules().map { file in
      var file = file
      file.layer = .user
      return file
    }
    #expect(Configuration.read(files, on: .landscape).diagnostics.map(\.description) == [])
    #expect(Configuration.read(files, on: .portrait).diagnostics.map(\.description) == [])
  }

  @Test func `each shipped rule names its sources`() throws {
    for file in try Self.shippedRules() {
      guard case .bytes(let bytes) = file.content else { continue }
      let comments = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
        $0.hasPrefix("# ")
      }
      #expect(comments.contains { $0.hasPrefix("# Names: ") }, "\(file.path)")
    }
  }

  @Test func `videos are landscape only in fullscreen`() throws {
    let rules = Configuration.read(try Self.shippedRules()).settings.rules
    let full = rules.rule(for: Window(id: 1, identifiers: ["gl", "mpv"], isFullscreen: true))
    #expect(full?.supported == [.landscape])
    #expect(rules.rule(for: Window(id: 1, identifiers: ["gl", "mpv"])) == nil)
    let game = rules.rule(for: Window(id: 1, identifiers: ["steam_app_570"], isFullscreen: true))
    #expect(game?.supported == [.landscape])
  }

  @Test(
    arguments: [
      "firefox", "firefox-esr", "firefox-nightly", "org.mozilla.firefox", "librewolf",
      "io.gitlab.librewolf-community", "zen", "zen-beta", "app.zen_browser.zen", "floorp",
      "one.ablaze.floorp",
    ])
  func `browsers built from Firefox are landscape while they play`(_ name: String) throws {
    let rules = Configuration.read(try Self.shippedRules()).settings.rules
    let window = Window(id: 1, identifiers: ["Navigator", name], isFullscreen: true)
    #expect(rules.rule(for: window, isPlaying: true)?.supported == [.landscape])
    #expect(rules.rule(for: window) == nil)
  }

  @Test func `the shipped settings are the defaults`() throws {
    let text = try Self.settings()
    try expectDefaults(text)
    try expectDefaults(Self.uncommented(text))
  }

  private func expectDefaults(_ text: String) throws {
    let read = Configuration.read([
      ConfigurationFile(path: "config.toml", kind: .settings, layer: .user, text: text)
    ])
    #expect(read.diagnostics.map(\.description) == [])
    #expect(read.settings == Settings())
    #expect(read.machine == MachineSettings())
  }

  @Test func `the shipped settings name every key`() throws {
    var section = ""
    var written: [String] = []
    for line in Self.uncommented(try Self.settings()).split(separator: "\n") {
      if line.hasPrefix("[") { section = String(line) }
      if let equals = line.firstRange(of: " = "), !line.hasPrefix("#") {
        written.append("\(section) \(line[..<equals.lowerBound])")
      }
    }
    #expect(written == Configuration.keys.map { "[\($0.section)] \($0.name)" })
  }

  /// "#key = value" is a disabled key; "# text" is a comment.
  private static func uncommented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.first == "#" && $0.dropFirst().first?.isLetter == true ? $0.dropFirst() : $0 }
      .joined(separator: "\n")
  }
}
