// SPDX-License-Identifier: MIT

import Glibc

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
  ///   may write there can put another in its place.
  /// - Returns: `nil` if all is well. What is not there at all is no doubt.
  func doubt(about path: String) -> Doubt? {
    var places = [path]
    for _ in 1...2 {
      guard let slash = places[0].lastIndex(of: "/"), slash > places[0].startIndex else { break }
      places.insert(String(places[0][..<slash]), at: 0)
    }
    return places.lazy.compactMap(doubt(of:)).first
  }

  private func doubt(of path: String) -> Doubt? {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    guard file.st_uid == user || file.st_uid == 0 else { return .ownedByOthers(path: path) }
    let isOpenToGroup = file.st_mode & S_IWGRP != 0 && file.st_gid != 0 && file.st_gid != ownGroup()
    return isOpenToGroup || file.st_mode & S_IWOTH != 0 ? .writableByOthers(path: path) : nil
  }

  /// The group that is called as its person is, and has nobody else in it.
  private static func groupOfOne() -> gid_t? {
    guard let person = getpwuid(getuid()), let group = getgrgid(person.pointee.pw_gid),
      strcmp(person.pointee.pw_name, group.pointee.gr_name) == 0
    else { return nil }
    var member = group.pointee.gr_mem
    while let name = member?.pointee {
      if strcmp(name, person.pointee.pw_name) != 0 { return nil }
      member = member.map { $0 + 1 }
    }
    return person.pointee.pw_gid
  }
}
