// SPDX-License-Identifier: MIT

import Glibc
import System

/// Looks for hooks: in the person's directory, then in the administrator's. A hook takes the place of
/// those of the same name that are farther away; an empty file, or a link to /dev/null, leaves it empty.
struct HookFinder {
  /// Those that hold `will-rotate.d` and `did-rotate.d`, the nearest first.
  let directories: [String]

  init(directories: [String]) {
    self.directories = directories
  }

  /// - Parameter environment: looks a variable up.
  init(environment: (String) -> String? = Environment.variable) {
    self.init(directories: BaseDirectories(environment).config.map { "\($0)/autorotate" })
  }

  /// As they are now, in the order in which they run.
  func hooks(_ kind: HookKind) -> [Hook] {
    let layers = directories.map { directory in
      let path = "\(directory)/\(kind.rawValue)"
      return SystemFile.names(in: path).map { Hook(kind: kind, name: $0, path: "\(path)/\($0)") }
    }
    return Self.merge(layers).filter { !Self.isSwitchedOff($0.path) }
  }

  /// The nearest of each name, by the bytes of their names.
  static func merge(_ layers: [[Hook]]) -> [Hook] {
    var nearest: [String: Hook] = [:]
    for hook in layers.joined() where isHook(hook.name) && nearest[hook.name] == nil {
      nearest[hook.name] = hook
    }
    return nearest.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Editors and package managers leave copies, which would run as well.
  static func isHook(_ name: String) -> Bool {
    let leftovers = ["~", ".bak", ".swp", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
    return !name.hasPrefix(".") && !name.hasPrefix("#") && !leftovers.contains { name.hasSuffix($0) }
  }

  private static func isSwitchedOff(_ path: String) -> Bool {
    var file = stat()
    // One that has gone since will be missed when it is started.
    guard stat(path, &file) == 0 else { return false }
    return file.st_mode & S_IFMT != S_IFREG || file.st_size == 0
  }
}

/// Whether a hook is what this person, or the administrator, has written.
struct HookTrust {
  enum Doubt: Equatable {
    case writableByOthers(path: String)
    case ownedByOthers(path: String)
  }

  /// Whose hooks run.
  var user = getuid()
  /// Some systems give every person a group of their own, and let it write what the person writes.
  var ownGroup: () -> gid_t? = HookTrust.groupOfOne

  /// - Parameter path: of the hook. The directory that it lies in, and the one above, are looked at too, since who
  ///   may write there can put another in its place. The same holds for each link that it is, and for its target.
  /// - Returns: `nil` if all is well. What is not there at all is no doubt.
  func doubt(about path: String) -> Doubt? {
    Self.links(from: path).lazy.flatMap(Self.places).compactMap(doubt(of:)).first
  }

  /// As many as the kernel follows.
  private static let mostLinks = 40

  /// A path, each that it links to, and the last without links among its directories.
  private static func links(from path: String) -> [String] {
    var found = [path]
    while found.count <= mostLinks, let target = link(at: found[found.count - 1]) { found.append(target) }
    return found + (SystemFile.realPath(path).map { [$0] } ?? [])
  }

  /// What it links to, if it is a link.
  private static func link(at path: String) -> String? {
    let target = SystemFile.linkTarget(of: path)
    guard let target, !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
    return path[...slash] + target
  }

  /// It, the directory that it lies in, and the one above; the farthest first.
  private static func places(_ path: String) -> [String] {
    var places = [path]
    for _ in 1...2 {
      guard let slash = places[0].lastIndex(of: "/"), slash > places[0].startIndex else { break }
      places.insert(String(places[0][..<slash]), at: 0)
    }
    return places
  }

  private func doubt(of path: String) -> Doubt? {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    guard file.st_uid == user || file.st_uid == 0 else { return .ownedByOthers(path: path) }
    let isOpenToGroup = file.st_mode & S_IWGRP != 0 && file.st_gid != 0 && file.st_gid != ownGroup()
    return isOpenToGroup || file.st_mode & S_IWOTH != 0 ? .writableByOthers(path: path) : nil
  }

  private static func groupOfOne() -> gid_t? {
    guard let person = getpwuid(getuid()), let group = getgrgid(person.pointee.pw_gid) else { return nil }
    var members: [String] = []
    var member = group.pointee.gr_mem
    while let name = member?.pointee {
      members.append(String(cString: name))
      member = member.map { $0 + 1 }
    }
    let name = String(cString: group.pointee.gr_name)
    let isOwn = isGroup(name, with: members, onlyOf: String(cString: person.pointee.pw_name))
    return isOwn ? person.pointee.pw_gid : nil
  }

  /// Whether a group is called as its user is, and has nobody else in it.
  static func isGroup(_ name: String, with members: [String], onlyOf user: String) -> Bool {
    name == user && members.allSatisfy { $0 == user }
  }
}
