// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import autorotate

@MainActor struct HookTrustTests {
  let home: HookHome
  let hook: String

  init() throws {
    home = try HookHome()
    try home.write("a", "exit")
    hook = "\(home.path)/user/did-rotate.d/a"
    // With an own group per user, the umask may make files writable for the group.
    for directory in ["user", "user/did-rotate.d"] {
      try #require(chmod("\(home.path)/\(directory)", 0o755) == 0)
    }
  }

  @Test func `hooks of the user and the administrator are trusted`() {
    #expect(HookTrust().problem(with: hook) == nil)
    #expect(HookTrust(user: getuid() + 1).problem(with: "/bin/sh") == nil)
    #expect(HookTrust().problem(with: "/nonexistent/directory/hook") == nil)
  }

  /// Files of root are always trusted, so this needs another user.
  @Test(.enabled(if: getuid() != 0)) func `hooks of another user are not trusted`() {
    let other = HookTrust(user: getuid() + 1)
    #expect(other.problem(with: hook) == .ownedByOthers(path: "\(home.path)/user"))
  }

  @Test(.enabled(if: getuid() == 0)) func `hooks with another owner are not trusted`() {
    #expect(chown(hook, 12345, 12345) == 0)
    #expect(HookTrust().problem(with: hook) == .ownedByOthers(path: hook))
    #expect(HookTrust(user: 12345).problem(with: hook) == nil)
  }

  @Test func `only the users own group may write`() {
    var file = stat()
    #expect(chmod(hook, 0o775) == 0 && stat(hook, &file) == 0)
    let group = file.st_gid
    #expect(HookTrust(ownGroup: { group }).problem(with: hook) == nil)
    guard group != 0 else { return }
    #expect(HookTrust(ownGroup: { nil }).problem(with: hook) == .writableByOthers(path: hook))
  }

  @Test(.enabled(if: getuid() == 0)) func `another group may not write`() {
    #expect(chown(hook, 0, 12345) == 0 && chmod(hook, 0o775) == 0)
    #expect(HookTrust(ownGroup: { 12345 }).problem(with: hook) == nil)
    for own in [nil, 54321] as [gid_t?] {
      #expect(HookTrust(ownGroup: { own }).problem(with: hook) == .writableByOthers(path: hook))
    }
  }

  @Test func `a group of several users is not the user's own`() {
    #expect(HookTrust.isGroup("ann", with: [], onlyOf: "ann"))
    #expect(HookTrust.isGroup("ann", with: ["ann"], onlyOf: "ann"))
    #expect(!HookTrust.isGroup("ann", with: ["ann", "bob"], onlyOf: "ann"))
    #expect(!HookTrust.isGroup("users", with: [], onlyOf: "ann"))
  }

  @Test func `a hook that others may write is not trusted`() {
    #expect(chmod(hook, 0o757) == 0)
    #expect(HookTrust().problem(with: hook) == .writableByOthers(path: hook))
  }

  @Test func `a link's target may be changed by nobody else`() throws {
    try home.makeDirectories("open/inner/deep")
    try home.write("b", "exit")
    #expect(rename("\(home.path)/user/did-rotate.d/b", "\(home.path)/open/inner/deep/b") == 0)
    for directory in ["open", "open/inner", "open/inner/deep"] {
      try #require(chmod("\(home.path)/\(directory)", 0o755) == 0)
    }
    let link = "\(home.path)/user/did-rotate.d/link"
    #expect(symlink("../../open/inner/first", link) == 0)
    #expect(symlink("deep/b", "\(home.path)/open/inner/first") == 0)
    #expect(HookTrust().problem(with: link) == nil)
    for directory in ["open", "open/inner", "open/inner/deep"] {
      #expect(chmod("\(home.path)/\(directory)", 0o777) == 0)
      guard case .writableByOthers(let path) = HookTrust().problem(with: link) else {
        Issue.record("\(directory) is open to all, and the hook is trusted")
        continue
      }
      #expect(path.hasSuffix(directory) || path.contains(".."))
      #expect(chmod("\(home.path)/\(directory)", 0o755) == 0)
    }
  }
}
