// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing

@testable import Configuration

/// Settings name programs to run, so none are read that another user can have written.
struct FileSearchTests {
  private let home: TemporaryDirectory
  private static let layers = ["user", "etc", "usr"]

  init() throws {
    home = try TemporaryDirectory()
    for layer in Self.layers {
      try home.write("match = \"\(layer)\"\nauto-rotate = false\n", to: "\(layer)/apps/\(layer).toml")
    }
    try home.write("[tablet]\non-screen-keyboard = [\"/bin/true\"]\n", to: "etc/config.toml")
    // With an own group per user, the umask may make files writable for the group.
    for directory in Self.layers.flatMap({ [$0, "\($0)/apps"] }) { chmod(home[directory], 0o755) }
    for file in Self.layers.map({ "\($0)/apps/\($0).toml" }) + ["etc/config.toml"] {
      chmod(home[file], 0o644)
    }
  }

  private var directories: ConfigurationDirectories {
    ConfigurationDirectories(
      user: home["user"], administrator: [home["etc"]], shipped: [home["usr"], home["missing"]])
  }

  private var read: Configuration { Configuration.read(from: directories) }

  private func rules(_ configuration: Configuration) -> [[String]] {
    configuration.settings.rules.map(\.matches)
  }

  @Test func `a directory that others may write to is not read`() {
    #expect(chmod(home["etc"], 0o777) == 0)
    let read = read
    #expect(read.machine.onScreenKeyboard.isEmpty)
    #expect(rules(read) == [["user"], ["usr"]])
    let (file, place) = (home["etc/config.toml"], home["etc"])
    #expect(
      read.diagnostics.map(\.headline.description) == [
        "\(file): error: is not read, because others may write to \(place)"
      ])
    #expect(
      read.diagnostics.first?.advice?.description == "To use it, restrict it with: sudo chmod go-w \(place)")
  }

  @Test func `a file that others may write is not read`() {
    let file = home["user/apps/user.toml"]
    #expect(chmod(file, 0o666) == 0)
    #expect(rules(read) == [["etc"], ["usr"]])
    #expect(
      read.diagnostics.map(\.advice?.description) == ["To use it, restrict it with: chmod go-w \(file)"])
    #expect(read.hasErrors)
  }

  /// Of a home in a directory of a group, for instance.
  @Test func `directories above the home do not matter`() {
    #expect(chmod(home.path, 0o777) == 0)
    #expect(FileSearch(directories, home: home["etc"]).files.map(\.name) == ["config.toml", "etc.toml"])
    #expect(FileSearch(directories, home: home["etc/"]).files.count == 2)
    #expect(chmod(home["etc"], 0o777) == 0)
    #expect(FileSearch(directories, home: home["etc"]).files.isEmpty)
  }

  @Test func `in a sticky directory others replace only their own files`() {
    #expect(chmod(home["etc"], 0o1777) == 0)
    #expect(rules(read).count == 3 && read.diagnostics.isEmpty)
  }

  @Test(.enabled(if: getuid() == 0)) func `settings of another user are not read`() {
    for place in ["usr/apps", "usr/apps/usr.toml", "etc/config.toml"] {
      #expect(chown(home[place], 65534, 65534) == 0)
    }
    #expect(read.machine.onScreenKeyboard.isEmpty)
    #expect(rules(read) == [["user"], ["etc"]])
    #expect(
      read.diagnostics.map(\.message.description)
        == ["etc/config.toml", "usr/apps"].map {
          "is not read, because \(home[$0]) belongs to another user"
        })
  }

  @Test(.enabled(if: getuid() == 0)) func `a link of another user is not followed`() {
    #expect(rename(home["etc/config.toml"], home["elsewhere"]) == 0)
    #expect(symlink(home["elsewhere"], home["etc/config.toml"]) == 0)
    #expect(read.machine.onScreenKeyboard == ["/bin/true"])
    let link = home["etc/config.toml"]
    #expect(lchown(link, 65534, 65534) == 0)
    #expect(read.machine.onScreenKeyboard.isEmpty)
    #expect(read.diagnostics.first?.advice?.description.hasSuffix("with: sudo chown -h root \(link)") == true)
  }

  @Test(arguments: [EMFILE, ENFILE, ENOMEM, EIO, EACCES])
  func `a directory that cannot be read keeps its rules`(_ code: Int32) {
    let before = FileSearch(directories)
    #expect(before.files.count == 4 && !before.isIncomplete)
    let shortage = FileSearch(directories, former: before.files.reversed()) { path throws(SystemError) in
      throw SystemError(call: path, code: code)
    }
    #expect(shortage.files == before.files)
    #expect(shortage.isIncomplete)
    #expect(shortage.diagnostics.map(\.path) == Self.layers.map { home["\($0)/apps"] })
  }

  @Test func `a directory that was never readable is not reported`() {
    let search = FileSearch(directories) { path throws(SystemError) in
      throw SystemError(call: path, code: EACCES)
    }
    #expect(search.files.map(\.path) == [home["etc/config.toml"]])
    #expect(search.diagnostics.isEmpty && !search.isIncomplete)
  }
}
