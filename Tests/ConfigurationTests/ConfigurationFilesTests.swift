// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import System
import Temporary
import Testing
import Waiting

@testable import Configuration

/// With real files in a temporary folder, and a real loop.
@MainActor
final class ConfigurationFilesTests {
  private let directory: TemporaryDirectory
  private var root: URL { URL(filePath: directory.path) }
  private let loop: EventLoop
  private var reports: [Configuration] = []

  init() throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop()
  }

  private func start() throws -> ConfigurationFiles {
    let files = ConfigurationFiles(
      loop: loop,
      directories: ConfigurationDirectories(
        user: root.path() + "/home/.config/autorotate", administrator: [root.path() + "/etc/autorotate"],
        shipped: [root.path() + "/usr/autorotate"]),
      report: { [unowned self] in reports.append($0) })
    try files.start()
    return files
  }

  private func write(_ path: String, _ text: String) throws {
    try directory.write(text, to: path)
  }

  /// Whether the last report satisfies the condition in time.
  private func until(_ satisfies: (Configuration) -> Bool) throws -> Bool {
    try loop.run { reports.last.map(satisfies) ?? false }
  }

  private let user = "home/.config/autorotate"
  private let landscape = "match = \"mpv\"\nsupported = \"landscape\"\n"

  @Test func `reports at the start`() throws {
    try write("\(user)/config.toml", "[lock]\nover-apps = true\n")
    try write("usr/autorotate/apps/mpv.toml", landscape)
    try withExtendedLifetime(start()) {
      #expect(reports.count == 1)
      #expect(reports.last?.settings.lockOverApps == true)
      #expect(reports.last?.settings.rules.map(\.layer) == [.shipped])
    }
  }

  @Test func `a file in new folders is detected`() throws {
    try withExtendedLifetime(start()) {
      #expect(reports.last?.settings.rules == [])
      try write("\(user)/apps/mpv.toml", landscape)
      #expect(try until { $0.settings.rules.count == 1 })
      try write("\(user)/config.toml", "[desktop]\nrotate-in = \"tablet\"\n")
      #expect(try until { $0.settings.rotateIn == .tablet })
    }
  }

  @Test func `a change can be read before the loop notices it`() throws {
    try write("\(user)/config.toml", "[lock]\nover-apps = false\n")
    let files = try start()
    files.reloadIfChanged()
    #expect(reports.count == 1)
    try write("\(user)/config.toml", "[lock]\nover-apps = true\n")
    files.reloadIfChanged()
    #expect(reports.last?.settings.lockOverApps == true)
  }

  @Test func `a change in place and a removal are detected`() throws {
    try write("\(user)/apps/mpv.toml", landscape)
    try withExtendedLifetime(start()) {
      let handle = try FileHandle(forWritingTo: root.appending(path: "\(user)/apps/mpv.toml"))
      try handle.write(contentsOf: Data("match = \"vlc\"\nsupported = \"landscape\"\n".utf8))
      try handle.close()
      #expect(try until { $0.settings.rules.map(\.matches) == [["vlc"]] })
      try FileManager.default.removeItem(at: root.appending(path: "\(user)/apps/mpv.toml"))
      #expect(try until { $0.settings.rules.isEmpty })
    }
  }

  /// Several changes in a row are read once.
  @Test func `a change is not read at once`() throws {
    try withExtendedLifetime(start()) {
      let start = EventLoop.now
      try write("\(user)/config.toml", "[lock]\nover-apps = true\n")
      #expect(try until { $0.settings.lockOverApps })
      #expect(EventLoop.now - start >= ConfigurationFiles.debounceNanoseconds)
    }
  }

  @Test func `a missing directory is watched for below its nearest parent`() {
    let directories = ConfigurationDirectories(user: "/☃", administrator: [], shipped: ["/nowhere/here"])
    let interests = WatchPlan(directories).interests
    #expect(interests.keys.sorted() == ["/"])
    #expect(interests["/"]?.names == ["☃", "nowhere"])
  }

  @Test func `an editor that renames is detected`() throws {
    try write("\(user)/config.toml", "[lock]\nover-apps = false\n")
    try withExtendedLifetime(start()) {
      for value in ["true", "false", "true"] {
        try write("\(user)/.config.toml.new", "[lock]\nover-apps = \(value)\n")
        #expect(
          rename(
            root.appending(path: "\(user)/.config.toml.new").path(),
            root.appending(path: "\(user)/config.toml").path()) == 0)
        #expect(try until { $0.settings.lockOverApps == (value == "true") })
      }
    }
  }

  @Test func `a change of a links target is detected`() throws {
    try write("dotfiles/autorotate.toml", "")
    try write("\(user)/apps/none.toml", "")
    try FileManager.default.createSymbolicLink(
      at: root.appending(path: "\(user)/config.toml"),
      withDestinationURL: root.appending(path: "dotfiles/autorotate.toml"))
    try withExtendedLifetime(start()) {
      try write("dotfiles/autorotate.toml", "[lock]\nover-apps = true\n")
      #expect(try until { $0.settings.lockOverApps })
    }
  }

  @Test(arguments: ["home/.config/autorotate", "home/.config"])
  func `another target of a linked folder is detected`(link: String) throws {
    let inside = user.dropFirst(link.count)
    try write("old\(inside)/config.toml", "")
    try write("new\(inside)/config.toml", "[lock]\nover-apps = true\n")
    try directory.makeDirectory("home\(link.hasSuffix("autorotate") ? "/.config" : "")")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: directory[link], withDestinationPath: directory["old"])
    try withExtendedLifetime(start()) {
      try files.createSymbolicLink(atPath: directory["next"], withDestinationPath: directory["new"])
      #expect(rename(directory["next"], directory[link]) == 0)
      #expect(try until { $0.settings.lockOverApps })
    }
  }

  @Test func `a folder removed and added is detected`() throws {
    try write("\(user)/apps/mpv.toml", landscape)
    try withExtendedLifetime(start()) {
      try FileManager.default.removeItem(at: root.appending(path: "home"))
      #expect(try until { $0.settings.rules.isEmpty })
      try write("\(user)/apps/mpv.toml", landscape)
      #expect(try until { $0.settings.rules.count == 1 })
    }
  }

  @Test func `a broken file keeps its last valid version`() throws {
    try write("\(user)/config.toml", "[desktop]\nrotate-in = \"tablet\"\n[lock]\nover-apps = true\n")
    try write("\(user)/apps/mpv.toml", landscape)
    try withExtendedLifetime(start()) {
      try write("\(user)/config.toml", "[desktop]\nrotate-in = \"always\"\n[lock]\nover-apps = yes\n")
      try write("\(user)/apps/mpv.toml", "match = \"mpv\"\nsupported = \"landscap\"\n")
      #expect(try until { $0.diagnostics.filter { $0.severity == .error }.count == 2 })
      #expect(reports.last?.settings.rotateIn == .tablet)
      #expect(reports.last?.settings.lockOverApps == true)
      #expect(reports.last?.settings.rules.map(\.supported) == [[.landscape]])
      #expect(
        reports.last?.diagnostics.filter { $0.message.description.hasPrefix("the previous version stays") }
          .count == 2)

      try write("\(user)/config.toml", "[desktop]\nrotate-in = \"always\"\n")
      try write("\(user)/apps/mpv.toml", "match = \"mpv\"\nsupported = \"portrait\"\n")
      #expect(try until { $0.diagnostics.isEmpty })
      #expect(reports.last?.settings.rotateIn == .always)
      #expect(reports.last?.settings.rules.map(\.supported) == [[.portrait]])
    }
  }

  @Test func `a change without effect is not reported`() throws {
    try write("\(user)/apps/mpv.toml", landscape)
    try withExtendedLifetime(start()) {
      try write("\(user)/apps/mpv.toml", landscape + "# A comment.\n")
      try write("\(user)/apps/mpv.toml~", "nonsense")
      try write("\(user)/apps/.mpv.toml.swp", "nonsense")
      // Then the change has been detected, and the debounce time is over.
      try loop.settle()
      #expect(reports.count == 1)
      try write("\(user)/apps/vlc.toml", "match = \"vlc\"\nauto-rotate = false\n")
      #expect(try until { $0.settings.rules.count == 2 })
      #expect(reports.count == 2)
    }
  }

  @Test func `the app of a broken rule is read again although the error stays the same`() throws {
    let broken = { (app: String) in "match = \"\(app)\"\nsupported = 1\n" }
    try write("\(user)/apps/mine.toml", broken("mpv"))
    try withExtendedLifetime(start()) {
      #expect(reports.last?.faults(ofRulesFor: ["vlc"]) == [])
      try write("\(user)/apps/mine.toml", broken("vlc"))
      #expect(try until { !$0.faults(ofRulesFor: ["vlc"]).isEmpty })
      #expect(reports.last?.faults(ofRulesFor: ["mpv"]) == [])
    }
  }

  @Test func `several writes are reported once`() throws {
    try withExtendedLifetime(start()) {
      for name in 0..<20 {
        try write("\(user)/apps/\(name).toml", "match = \"\(name)\"\nauto-rotate = false\n")
      }
      #expect(try until { $0.settings.rules.count == 20 })
      // One for the folders, which are watched only after they exist, and one for their contents.
      #expect(reports.count <= 3)
    }
  }

  @Test func `reload reads immediately`() throws {
    try write("\(user)/config.toml", "")
    let files = try start()
    try write("\(user)/config.toml", "[lock]\nover-apps = true\n")
    files.reload()
    #expect(files.current.settings.lockOverApps)
    #expect(reports.count == 2)
    // Hooks, which are listed then, may have changed.
    files.reload()
    #expect(reports.count == 3)
  }

  @Test func `the aspect makes diagnostics more precise`() throws {
    try write("\(user)/apps/a.toml", "match = \"a\"\nsupported = \"landscape\"\npreferred = \"left\"\n")
    let files = try start()
    #expect(files.current.diagnostics.isEmpty)
    files.naturalAspect = .landscape
    #expect(reports.last?.diagnostics.map(\.severity) == [.warning])
  }

  @Test func `a device or pipe is an error and never blocks`() throws {
    try write("\(user)/apps/none.toml", "")
    #expect(mkfifo(root.appending(path: "\(user)/config.toml").path(), 0o600) == 0)
    try FileManager.default.createDirectory(
      at: root.appending(path: "\(user)/apps/folder.toml"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: root.appending(path: "\(user)/apps/loop.toml").path(), withDestinationPath: "loop.toml")
    let files = try start()
    #expect(
      files.current.diagnostics.map(\.message.description) == [
        "cannot be read: it is not a file", "cannot be read: it is not a file",
        "cannot be read: Too many levels of symbolic links",
      ])
  }

  @Test func `a link to dev null disables a rule`() throws {
    try write("usr/autorotate/apps/mpv.toml", landscape)
    try write("\(user)/apps/none.toml", "")
    try FileManager.default.createSymbolicLink(
      atPath: root.appending(path: "\(user)/apps/mpv.toml").path(), withDestinationPath: "/dev/null")
    let files = try start()
    #expect(files.current.settings.rules.isEmpty)
    #expect(files.current.diagnostics.isEmpty)
  }

  @Test func `installed programs ship no settings`() throws {
    try write("usr/autorotate/config.toml", "[lock]\nover-apps = true\n")
    try write("etc/autorotate/config.toml", "[desktop]\nrotate-in = \"tablet\"\n")
    let files = try start()
    #expect(!files.current.settings.lockOverApps)
    #expect(files.current.settings.rotateIn == .tablet)
  }
}
