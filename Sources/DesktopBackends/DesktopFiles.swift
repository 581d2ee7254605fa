// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// What the desktop files of this machine declare about orientations.
///
/// All of them are read at the first question, since any may name a WM_CLASS, and again when one of their
/// directories has changed. What few declare anything is kept.
final class DesktopFiles {
  private let directories: [String]
  private var declared = DesktopFileIndex()
  /// When each directory last changed; of one that is not there, nothing.
  private var times: [String: FileTime?]?

  /// - Parameter directories: the nearest first.
  init(directories: [String] = DesktopFiles.directories { name in getenv(name).map { String(cString: $0) } })
  {
    self.directories = directories
  }

  /// - Parameter names: all that the application goes by.
  func orientations(of names: [String]) -> [OrientationWord]? {
    guard !names.isEmpty else { return nil }
    if !isFresh { readAll() }
    return declared.orientations(of: names)
  }

  private var isFresh: Bool {
    times?.allSatisfy { path, time in FileTime(ofDirectory: path) == time } ?? false
  }

  private func readAll() {
    declared = DesktopFileIndex()
    var times: [String: FileTime?] = [:]
    for directory in directories {
      // Before reading, so that a change in the meantime is one.
      times.updateValue(FileTime(ofDirectory: directory), forKey: directory)
      DesktopFileWalk(
        file: { id, bytes in self.declared.add(DesktopFile(bytes), id: id) },
        directory: { times.updateValue(FileTime(ofDirectory: $0), forKey: $0) }
      ).walk(directory)
    }
    self.times = times
  }

  /// Where desktop files are, by the XDG Base Directory Specification.
  static func directories(variable: (String) -> String?) -> [String] {
    let set = ["XDG_DATA_HOME", "XDG_DATA_DIRS", "HOME"].map { variable($0) ?? "" }
    let home = set[0].isEmpty && !set[2].isEmpty ? set[2] + "/.local/share" : set[0]
    let shared = set[1].isEmpty ? "/usr/local/share:/usr/share" : set[1]
    // Relative ones are to be ignored.
    let all = ([home] + shared.split(separator: ":").map(String.init)).filter { $0.hasPrefix("/") }
    var seen: Set<String> = []
    return all.map { $0 + "/applications" }.filter { seen.insert($0).inserted }
  }
}

/// Declarations by the names of their applications.
struct DesktopFileIndex {
  private var ids: Set<String> = []
  private var byID: [String: [OrientationWord]] = [:]
  private var byClass: [String: [OrientationWord]] = [:]

  /// - Parameter id: the desktop file id without `.desktop`. Of two, the one that was added first counts.
  mutating func add(_ file: DesktopFile, id: String) {
    let id = id.lowercased()
    guard ids.insert(id).inserted, !file.isHidden, let words = file.orientations else { return }
    byID[id] = words
    if let name = file.startupWMClass?.lowercased(), byClass[name] == nil { byClass[name] = words }
  }

  func orientations(of names: [String]) -> [OrientationWord]? {
    let names = names.map { $0.lowercased() }
    return names.lazy.compactMap { byID[$0] }.first ?? names.lazy.compactMap { byClass[$0] }.first
  }
}

/// When a file was changed last.
struct FileTime: Equatable {
  private let seconds: Int
  private let nanoseconds: Int
  private let inode: UInt

  /// `nil` if there is no such directory.
  init?(ofDirectory path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
    inode = status.st_ino
  }
}
