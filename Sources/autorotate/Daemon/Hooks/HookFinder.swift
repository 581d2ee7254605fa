// SPDX-License-Identifier: MIT

import Glibc
import System

/// Finds hooks in the user's directory, then in the administrator's. A hook overrides those of the same name in later
/// directories; an empty file or a link to /dev/null disables them.
struct HookFinder {
  /// The directories that contain `will-rotate.d` and the others, the user's first.
  let directories: [String]

  init(directories: [String]) {
    self.directories = directories
  }

  /// - Parameter environment: looks up a variable.
  init(environment: (String) -> String? = Environment.variable) {
    self.init(directories: BaseDirectories(environment).config.map { "\($0)/autorotate" })
  }

  /// The present hooks, in the order in which they run.
  func hooks(_ kind: HookKind) -> [Hook] {
    let layers = directories.map { directory in
      let path = "\(directory)/\(kind.rawValue)"
      return SystemFile.names(in: path).map { Hook(kind: kind, name: $0, path: "\(path)/\($0)") }
    }
    return Self.merge(layers).filter { !Self.isDisabled($0.path) }
  }

  /// The first hook of each name, sorted by the bytes of their names.
  static func merge(_ layers: [[Hook]]) -> [Hook] {
    var first: [String: Hook] = [:]
    for hook in layers.joined() where isHook(hook.name) && first[hook.name] == nil {
      first[hook.name] = hook
    }
    return first.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Editors and package managers leave copies, which must not run.
  static func isHook(_ name: String) -> Bool {
    let leftovers = ["~", ".bak", ".swp", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
    return !name.hasPrefix(".") && !name.hasPrefix("#") && !leftovers.contains { name.hasSuffix($0) }
  }

  private static func isDisabled(_ path: String) -> Bool {
    var file = stat()
    // If the file has gone, its start will fail and be reported.
    guard stat(path, &file) == 0 else { return false }
    return file.st_mode & S_IFMT != S_IFREG || file.st_size == 0
  }
}

/// Checks that only this user or the administrator can have written a hook.
struct HookTrust {
  enum Problem: Equatable {
    case writableByOthers(path: String)
    case ownedByOthers(path: String)
  }

  /// Whose hooks run.
  var user = getuid()
  /// Some systems give every user an own group, which may write the user's files.
  var ownGroup: () -> gid_t? = HookTrust.privateGroup

  /// - Parameter path: of the hook. Its directory and the one above are checked, too, since anyone who may write there
  ///   can replace the hook. The same applies to each link and to its target.
  /// - Returns: `nil` if there is none, or the hook does not exist.
  func problem(with path: String) -> Problem? {
    Self.links(from: path).lazy.flatMap(Self.places).compactMap(problem(of:)).first
  }

  /// The number of links that the kernel follows.
  private static let maximumLinks = 40

  /// The path, the target of each link, and the real path at last.
  private static func links(from path: String) -> [String] {
    var found = [path]
    while found.count <= maximumLinks, let target = link(at: found[found.count - 1]) { found.append(target) }
    return found + (SystemFile.realPath(path).map { [$0] } ?? [])
  }

  /// The target, if the path is a link.
  private static func link(at path: String) -> String? {
    let target = SystemFile.linkTarget(of: path)
    guard let target, !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
    return path[...slash] + target
  }

  /// The path, its directory and the one above, the uppermost first.
  private static func places(_ path: String) -> [String] {
    var places = [path]
    for _ in 1...2 {
      guard let slash = places[0].lastIndex(of: "/"), slash > places[0].startIndex else { break }
      places.insert(String(places[0][..<slash]), at: 0)
    }
    return places
  }

  private func problem(of path: String) -> Problem? {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    guard file.st_uid == user || file.st_uid == 0 else { return .ownedByOthers(path: path) }
    let isOpenToGroup = file.st_mode & S_IWGRP != 0 && file.st_gid != 0 && file.st_gid != ownGroup()
    return isOpenToGroup || file.st_mode & S_IWOTH != 0 ? .writableByOthers(path: path) : nil
  }

  private static func privateGroup() -> gid_t? {
    guard let account = getpwuid(getuid()), let group = getgrgid(account.pointee.pw_gid) else { return nil }
    var members: [String] = []
    var member = group.pointee.gr_mem
    while let name = member?.pointee {
      members.append(String(cString: name))
      member = member.map { $0 + 1 }
    }
    let name = String(cString: group.pointee.gr_name)
    let isOwn = isGroup(name, with: members, onlyOf: String(cString: account.pointee.pw_name))
    return isOwn ? account.pointee.pw_gid : nil
  }

  /// Whether a group has the user's name, and no other members.
  static func isGroup(_ name: String, with members: [String], onlyOf user: String) -> Bool {
    name == user && members.allSatisfy { $0 == user }
  }
}
