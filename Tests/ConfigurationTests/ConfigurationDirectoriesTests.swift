// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Glibc
import Temporary
import Testing

struct ConfigurationDirectoriesTests {
  private func paths(_ environment: [String: String]) -> [String] {
    ConfigurationDirectories { environment[$0] }.all.map { "\($0.layer) \($0.path)" }
  }

  @Test func `without variables the specifications defaults apply`() {
    #expect(
      paths(["HOME": "/home/ada"]) == [
        "user /home/ada/.config/autorotate", "administrator /etc/xdg/autorotate",
        "shipped /home/ada/.local/share/autorotate", "shipped /usr/local/share/autorotate",
        "shipped /usr/share/autorotate",
      ])
  }

  @Test func `the environment overrides the defaults`() {
    #expect(
      paths([
        "HOME": "/home/ada", "XDG_CONFIG_HOME": "/c/", "XDG_CONFIG_DIRS": "/a:/b/", "XDG_DATA_HOME": "/d",
        "XDG_DATA_DIRS": "/e:/f:/e",
      ]) == [
        "user /c/autorotate", "administrator /a/autorotate", "administrator /b/autorotate",
        "shipped /d/autorotate", "shipped /e/autorotate", "shipped /f/autorotate",
      ])
  }

  @Test func `relative and empty paths are ignored`() {
    #expect(
      paths(["HOME": "here", "XDG_CONFIG_HOME": "there", "XDG_CONFIG_DIRS": "a::/b", "XDG_DATA_DIRS": ""])
        == [
          "administrator /b/autorotate", "shipped /usr/local/share/autorotate",
          "shipped /usr/share/autorotate",
        ])
  }

  /// With a PREFIX such as /opt/autorotate there were no shipped rules.
  @Test func `the data of the program itself comes last, and once`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("share/autorotate")
    try #require(symlink(directory["share"], directory["link"]) == 0)
    func shipped(_ data: String, _ share: String) -> [String] {
      let found = ConfigurationDirectories(share: directory[share]) { $0 == "XDG_DATA_DIRS" ? data : nil }
      return found.all.filter { $0.layer == .shipped }.map(\.path)
    }
    #expect(shipped("/a", "share") == ["/a/autorotate", directory["share/autorotate"]])
    #expect(shipped("\(directory["link"]):/a", "share") == [directory["link/autorotate"], "/a/autorotate"])
    #expect(shipped("/a", "missing") == ["/a/autorotate"])
  }

  @Test func `only slashes after a name are left out`() {
    let directories = ConfigurationDirectories(user: "//", administrator: ["/a//"], shipped: ["/b/"])
    #expect(directories.all.map(\.path) == ["/", "/a", "/b"])
  }
}
