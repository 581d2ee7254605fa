// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import autorotate

struct HookFinderTests {
  private static func hook(_ name: String, in directory: String) -> Hook {
    Hook(kind: .did, name: name, path: "\(directory)/\(name)")
  }

  @Test func `the first hook of each name is used`() {
    let user = ["b", "Z", "10-a", "é"].map { Self.hook($0, in: "user") }
    let first = ["9", "b", "a"].map { Self.hook($0, in: "first") }
    let second = ["a", "z"].map { Self.hook($0, in: "second") }
    let paths = HookFinder.merge([user, first, second]).map(\.path)
    #expect(paths == ["user/10-a", "first/9", "user/Z", "first/a", "user/b", "second/z", "user/é"])
    #expect(HookFinder.merge([]).isEmpty)
  }

  @Test(arguments: [
    ".hidden", "#save#", "10-a~", "10-a.bak", ".10-a.swp", "10-a.dpkg-old", "10-a.rpmnew",
  ])
  func `backup files are not hooks`(_ name: String) {
    #expect(!HookFinder.isHook(name))
  }

  @Test(arguments: ["10-a", "a.sh", "a.py", "with blank", "ü"])
  func `other names are hooks`(_ name: String) {
    #expect(HookFinder.isHook(name))
  }

  @Test(arguments: [
    (["HOME": "/home/a"], ["/home/a/.config/autorotate", "/etc/xdg/autorotate"]),
    (["HOME": "/home/a", "XDG_CONFIG_HOME": "/c"], ["/c/autorotate", "/etc/xdg/autorotate"]),
    (
      ["HOME": "/h", "XDG_CONFIG_HOME": "", "XDG_CONFIG_DIRS": "/x::y:/z"],
      ["/h/.config/autorotate", "/x/autorotate", "/z/autorotate"]
    ),
    (["XDG_CONFIG_HOME": "relative", "HOME": "/h"], ["/h/.config/autorotate", "/etc/xdg/autorotate"]),
    (["XDG_CONFIG_DIRS": ""], ["/etc/xdg/autorotate"]),
  ])
  func `hook directories follow the base directories`(_ environment: [String: String], _ expected: [String]) {
    #expect(HookFinder { environment[$0] }.directories == expected)
  }

  @MainActor @Test func `empty files and other file types disable hooks`() throws {
    let home = try HookHome()
    for name in ["10-here", "20-empty", "30-null", "40-directory", "50-system"] {
      try home.write(name, "exit", in: "system")
    }
    try home.write("10-here", "exit", mode: 0o644)
    try home.write("20-empty", "")
    try home.makeDirectories("user/did-rotate.d/40-directory")
    let null = "\(home.path)/user/did-rotate.d/30-null"
    #expect(symlink("/dev/null", null) == 0)
    defer { unlink(null) }
    #expect(home.finder.hooks(.did).map(\.title) == ["did-rotate.d/10-here", "did-rotate.d/50-system"])
    #expect(home.finder.hooks(.did).first?.path == "\(home.path)/user/did-rotate.d/10-here")
    #expect(home.finder.hooks(.will).isEmpty)
    #expect(HookFinder(directories: ["/nonexistent"]).hooks(.did).isEmpty)
  }
}
