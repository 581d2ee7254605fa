// SPDX-License-Identifier: MIT

import CSystemdShims
import Glibc

/// Checks that only this user or the administrator can have written a file that is run, or that names what is run.
nonisolated package struct FileTrust {
  /// Why another user can have written a file.
  nonisolated package enum Problem: Equatable {
    /// The group of the file or directory may write to it, an access control list allows others to, or every user may.
    case writableByOthers(path: String)
    /// The file, directory or link belongs to another user.
    case ownedByOthers(path: String)
  }

  private let user: UInt32
  private let ownGroup: () -> UInt32?
  /// The user's home, from which the way begins: who can replace that has all files of the user anyway.
  private let home: (path: String, place: String)?

  /// - Parameters:
  ///   - user: whose files are used; `nil` for this process's user.
  ///   - home: the user's home; `nil` to begin at /.
  ///   - ownGroup: the group that may write the user's files. Some systems give every user an own group, and let it
  ///     write to each new file: umask 002 of Debian and Fedora.
  package init(
    user: UInt32? = nil, home: String? = Environment.variable("HOME"), ownGroup: (() -> UInt32?)? = nil
  ) {
    self.user = user ?? getuid()
    let path = home?.withoutLastSlash
    self.home = path.flatMap { path in SystemFile.realPath(path).map { (path, $0) } }
    // A lookup can fail, for want of descriptors for instance.
    self.ownGroup = ownGroup ?? { Self.knownGroup ?? Self.privateGroup() }
  }

  /// Checks the file, each link on the way to it, and all directories, as the kernel follows them: anyone who may write
  /// to one of them can replace the file.
  /// - Returns: `nil` if there is none. What does not exist is none: only the trusted can make it.
  package func problem(onWayTo path: String) -> Problem? {
    guard let home, path.hasPrefix("\(home.path)/") else { return problem(onWayTo: path, from: "/") }
    return problem(onWayTo: String(path.dropFirst(home.path.count)), from: home.place)
  }

  /// The same for a directory and what is below it.
  /// - Parameter directory: a real path, from which the way begins.
  package func problem(onWayTo path: String, from directory: String) -> Problem? {
    var (place, rest, links) = (directory == "/" ? "" : directory, Self.parts(of: path), 0)
    var found = problem(of: directory)
    while found == nil, !rest.isEmpty, links <= Self.maximumLinks {
      let next = Self.path(rest.removeFirst(), in: place)
      if let target = SystemFile.linkTarget(of: next) {
        found = problem(ofLink: next)
        links += 1
        rest = Self.parts(of: target) + rest
        if target.utf8.first == UInt8(ascii: "/") { place = "" }
      } else {
        found = problem(of: next.isEmpty ? "/" : next)
        place = next
      }
    }
    return found
  }

  /// The number of links that the kernel follows.
  private static let maximumLinks = 40

  private static func parts(of path: String) -> [Substring] {
    // By bytes: to Swift, a slash and an accent behind it are one character.
    path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init).filter { $0 != "." }
  }

  /// - Parameter directory: a real path; empty for /.
  private static func path(_ name: Substring, in directory: String) -> String {
    guard name == ".." else { return "\(directory)/\(name)" }
    return directory.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(directory[..<$0]) } ?? ""
  }

  private func problem(of path: String) -> Problem? {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    if let problem = problem(ofLink: path) { return problem }
    guard isTrusted(file.st_uid) else { return .ownedByOthers(path: SystemFile.realPath(path) ?? path) }
    let type = file.st_mode & S_IFMT
    // In a directory such as /tmp, others can replace only their own files.
    // /dev/null keeps nothing that is written to it.
    guard type != S_IFCHR, type != S_IFDIR || file.st_mode & mode_t(S_ISVTX) == 0 else { return nil }
    let isOpenToGroup =
      file.st_mode & S_IWGRP != 0
      && (Self.hasFurtherWriters(path) || file.st_gid != 0 && file.st_gid != ownGroup())
    return isOpenToGroup || file.st_mode & S_IWOTH != 0 ? .writableByOthers(path: path) : nil
  }

  /// Whether an access control list lets further users or groups write. The group bits of the mode are then the limit
  /// for all of them. Its form is that of linux/posix_acl_xattr.h: a version, then tag, permissions and number of each.
  private static func hasFurtherWriters(_ path: String) -> Bool {
    let (user, group, write): (UInt8, UInt8, UInt8) = (2, 8, 2)
    var list = [UInt8](repeating: 0, count: 4096)
    let count = getxattr(path, "system.posix_acl_access", &list, list.count)
    guard count > 0 else { return count < 0 && errno == ERANGE }
    return stride(from: 4, through: count - 8, by: 8).contains {
      [user, group].contains(list[$0]) && list[$0 + 2] & write != 0
    }
  }

  /// Of the link itself, which only its owner can replace in such a directory.
  private func problem(ofLink path: String) -> Problem? {
    var link = stat()
    return lstat(path, &link) == 0 && !isTrusted(link.st_uid) ? .ownedByOthers(path: path) : nil
  }

  private func isTrusted(_ owner: uid_t) -> Bool { owner == user || owner == 0 || owner == Self.ownerOfAll }

  /// The owner of / can replace every file anyway: root, or nobody in a user namespace where root has no number.
  private static let ownerOfAll: uid_t = {
    var top = stat()
    return stat("/", &top) == 0 ? top.st_uid : 0
  }()

  /// Looked up once, since that may take a request to a server.
  private static let knownGroup: gid_t? = privateGroup()

  private static func privateGroup() -> gid_t? {
    guard let account = getpwuid(getuid()), let group = getgrgid(account.pointee.pw_gid) else { return nil }
    let members = group.pointee.gr_mem.map(strings) ?? []
    let name = String(cString: group.pointee.gr_name)
    let isOwn = isGroup(name, with: members, onlyOf: String(cString: account.pointee.pw_name))
    return isOwn ? account.pointee.pw_gid : nil
  }

  /// Whether a group has the user's name, and no other members.
  package static func isGroup(_ name: String, with members: [String], onlyOf user: String) -> Bool {
    name == user && members.allSatisfy { $0 == user }
  }
}
