// SPDX-License-Identifier: MIT

import Glibc
import System
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
    #expect(FileTrust().problem(onWayTo: hook) == nil)
    #expect(FileTrust(user: getuid() + 1).problem(onWayTo: "/bin/sh") == nil)
    #expect(FileTrust().problem(onWayTo: "/nonexistent/directory/hook") == nil)
  }

  /// Files of root are always trusted, so this needs another user.
  @Test(.enabled(if: getuid() != 0)) func `hooks of another user are not trusted`() {
    let other = FileTrust(user: getuid() + 1)
    #expect(other.problem(onWayTo: hook) == .ownedByOthers(path: home.path))
  }

  @Test(.enabled(if: getuid() == 0)) func `hooks with another owner are not trusted`() {
    #expect(chown(hook, 12345, 12345) == 0)
    #expect(FileTrust().problem(onWayTo: hook) == .ownedByOthers(path: hook))
    #expect(FileTrust(user: 12345).problem(onWayTo: hook) == nil)
    #expect(symlink(hook, "\(hook)-link") == 0)
    #expect(
      FileTrust().problem(onWayTo: "\(hook)-link") == .ownedByOthers(path: hook),
      "chown -h does not follow it")
  }

  @Test func `only the users own group may write`() {
    var file = stat()
    #expect(chmod(hook, 0o775) == 0 && stat(hook, &file) == 0)
    let group = file.st_gid
    #expect(FileTrust(ownGroup: { group }).problem(onWayTo: hook) == nil)
    guard group != 0 else { return }
    #expect(FileTrust(ownGroup: { nil }).problem(onWayTo: hook) == .writableByOthers(path: hook))
  }

  @Test func `a directory in front of an accent is checked`() throws {
    let open = "\(home.path)/user/open"
    try #require(mkdir(open, 0o755) == 0 && chmod(open, 0o777) == 0)
    let problem = FileTrust().problem(onWayTo: "open/\u{301}x", from: "\(home.path)/user")
    #expect(problem == .writableByOthers(path: open))
  }

  @Test(.enabled(if: getuid() == 0)) func `another group may not write`() {
    #expect(chown(hook, 0, 12345) == 0 && chmod(hook, 0o775) == 0)
    #expect(FileTrust(ownGroup: { 12345 }).problem(onWayTo: hook) == nil)
    for own in [nil, 54321] as [gid_t?] {
      #expect(FileTrust(ownGroup: { own }).problem(onWayTo: hook) == .writableByOthers(path: hook))
    }
  }

  /// A user who may write there can replace everything below.
  @Test func `a hook far below a directory that others may write is not trusted`() {
    #expect(chmod(home.path, 0o757) == 0)
    #expect(FileTrust().problem(onWayTo: hook) == .writableByOthers(path: home.path))
  }

  @Test func `the way to a file of the user begins at the home`() {
    #expect(chmod(home.path, 0o757) == 0)
    #expect(FileTrust(home: "\(home.path)/user/").problem(onWayTo: hook) == nil)
    #expect(FileTrust(home: nil).problem(onWayTo: hook) == .writableByOthers(path: home.path))
  }

  @Test func `a group of several users is not the user's own`() {
    #expect(FileTrust.isGroup("ann", with: [], onlyOf: "ann"))
    #expect(FileTrust.isGroup("ann", with: ["ann"], onlyOf: "ann"))
    #expect(!FileTrust.isGroup("ann", with: ["ann", "bob"], onlyOf: "ann"))
    #expect(!FileTrust.isGroup("users", with: [], onlyOf: "ann"))
  }

  @Test func `a hook that others may write is not trusted`() {
    #expect(chmod(hook, 0o757) == 0)
    #expect(FileTrust().problem(onWayTo: hook) == .writableByOthers(path: hook))
  }

  /// The group bits of the mode are the limit for all users on the list, not only for the group.
  @Test func `another user on an access control list may not write`() throws {
    // Glibc's module lacks it.
    typealias SetAttribute =
      @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt) -> CInt
    let setAttribute = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: SetAttribute.self)
    var file = stat()
    #expect(stat(hook, &file) == 0)
    let group = file.st_gid
    let trust = FileTrust(ownGroup: { group })
    // Version 2, then kind, rights and number (0xffff is none) of: owner, user 12345, group, mask, others.
    func set(rights: UInt16) -> CInt {
      let list: [UInt16] = [
        2, 0, 1, 7, 0xffff, 0xffff, 2, rights, 12345, 0, 4, 6, 0xffff, 0xffff, 16, 7, 0xffff, 0xffff, 32, 5,
        0xffff, 0xffff,
      ]
      return setAttribute(hook, "system.posix_acl_access", list, 2 * list.count, 0)
    }
    let result = set(rights: 6)
    guard result == 0 || errno != ENOTSUP else { return }
    #expect(result == 0)
    #expect(trust.problem(onWayTo: hook) == .writableByOthers(path: hook))
    #expect(set(rights: 4) == 0)
    #expect(trust.problem(onWayTo: hook) == nil)
    #expect(set(rights: 6) == 0)
    #expect(chmod(hook, 0o755) == 0)
    #expect(trust.problem(onWayTo: hook) == nil)
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
    #expect(FileTrust().problem(onWayTo: link) == nil)
    for directory in ["open", "open/inner", "open/inner/deep"] {
      #expect(chmod("\(home.path)/\(directory)", 0o777) == 0)
      guard case .writableByOthers(let path) = FileTrust().problem(onWayTo: link) else {
        Issue.record("\(directory) is open to all, and the hook is trusted")
        continue
      }
      #expect(path.hasSuffix(directory) || path.contains(".."))
      #expect(chmod("\(home.path)/\(directory)", 0o755) == 0)
    }
  }

  @Test func `every directory and link on the way is checked`() throws {
    try home.makeDirectories("a/b/c/d")
    for place in ["a", "a/b", "a/b/c", "a/b/c/d"] { try #require(chmod("\(home.path)/\(place)", 0o755) == 0) }
    try home.write("tool", "exit")
    #expect(rename("\(home.path)/user/did-rotate.d/tool", "\(home.path)/a/b/c/d/tool") == 0)
    #expect(symlink("./a/../a/b", "\(home.path)/link") == 0)
    #expect(symlink("\(home.path)/link/c", "\(home.path)/user/way") == 0)
    let path = "\(home.path)/user/way/d/tool"
    #expect(FileTrust().problem(onWayTo: path) == nil)
    for place in ["a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/tool", "user"] {
      let place = "\(home.path)/\(place)"
      #expect(chmod(place, 0o777) == 0)
      #expect(FileTrust().problem(onWayTo: path) == .writableByOthers(path: place))
      #expect(chmod(place, 0o755) == 0)
    }
    guard getuid() == 0 else { return }
    #expect(lchown("\(home.path)/link", 12345, 12345) == 0)
    #expect(FileTrust().problem(onWayTo: path) == .ownedByOthers(path: "\(home.path)/link"))
  }

  @Test func `links without end are no way to a file`() throws {
    #expect(symlink("round", "\(home.path)/round") == 0)
    #expect(FileTrust().problem(onWayTo: "\(home.path)/round/tool") == nil)
  }

  /// As in /tmp and in the store of Nix.
  @Test func `in a sticky directory others replace only their own files`() throws {
    #expect(chmod("\(home.path)/user", 0o1777) == 0)
    #expect(FileTrust().problem(onWayTo: hook) == nil)
    guard getuid() == 0 else { return }
    #expect(chown("\(home.path)/user/did-rotate.d", 12345, 12345) == 0)
    let directory = "\(home.path)/user/did-rotate.d"
    #expect(FileTrust().problem(onWayTo: hook) == .ownedByOthers(path: directory))
  }
}
