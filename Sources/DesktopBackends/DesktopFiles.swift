// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The orientations that this machine's desktop files declare.
///
/// All files are read at the first lookup, since any may have a matching WM_CLASS, and again after a change, which
/// inotify reports. Only the few declarations are kept. However often files change,
/// reading takes at most 1/20 of the time.
final class DesktopFiles {
  /// Protects against endless directory trees.
  private static let maximumDirectories = 1000

  private let directories: [String]
  private let restFactor: Int64
  private var declared = DesktopFileIndex()
  /// `nil` before the first lookup, and where inotify fails.
  private var changes: DirectoryChanges?
  /// The directories that did not exist.
  private var absent: [String] = []
  private var isStale = true
  /// The earliest time of the next reading, in nanoseconds since boot.
  private var nextReading: Int64 = 0

  /// - Parameters:
  ///   - directories: in the order of their precedence.
  ///   - restFactor: the pause after a reading, as a multiple of its duration.
  init(directories: [String] = DesktopFiles.directories(), restFactor: Int64 = 20) {
    self.directories = directories
    self.restFactor = restFactor
  }

  /// - Parameter names: all names of the application.
  func orientations(of names: [String]) -> [OrientationName]? {
    guard !names.isEmpty else { return nil }
    isStale = isStale || haveChanged
    let now = EventLoop.now
    if isStale, now >= nextReading {
      readAll()
      nextReading = EventLoop.now + restFactor * (EventLoop.now - now)
    }
    return declared.orientations(of: names)
  }

  private var haveChanged: Bool {
    guard let changes else { return true }
    let files = changes.take().filter { change in
      change.affectsAll || change.mask & UInt32(IN_ISDIR) != 0 || change.name.hasSuffix(".desktop")
    }
    return !files.isEmpty || absent.contains { access($0, F_OK) == 0 }
  }

  private func readAll() {
    declared = DesktopFileIndex()
    changes = try? DirectoryChanges()
    isStale = false
    // Watched before they are read, so that no change is missed in between.
    absent = directories.filter { !watch($0) }
    var below = 0
    for directory in directories {
      DesktopFile.search(directory) {
        declared.add($0, id: $1)
      } enters: {
        below += 1
        return below <= Self.maximumDirectories && watch($0)
      }
    }
  }

  /// - Returns: whether it exists.
  private func watch(_ directory: String) -> Bool {
    let mask = IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    do {
      return try changes?.add(directory, mask) != .some(.none)
    } catch {
      changes = nil
      return true
    }
  }

  /// The directories of desktop files, by the XDG Base Directory Specification.
  static func directories(variable: (String) -> String? = Environment.variable) -> [String] {
    BaseDirectories(variable).data.map { "\($0)/applications" }
  }
}

/// Declarations by application name.
struct DesktopFileIndex {
  private var ids: Set<String> = []
  private var byID: [String: [OrientationName]] = [:]
  private var byClass: [String: [OrientationName]] = [:]

  /// - Parameter id: the desktop file id without `.desktop`. The first file with an id has precedence.
  mutating func add(_ file: DesktopFile, id: String) {
    let id = id.lowercased()
    guard ids.insert(id).inserted, !file.isHidden, let words = file.orientations else { return }
    byID[id] = words
    if let name = file.startupWMClass?.lowercased(), byClass[name] == nil { byClass[name] = words }
  }

  func orientations(of names: [String]) -> [OrientationName]? {
    let names = names.map { $0.lowercased() }
    return names.lazy.compactMap { byID[$0] }.first ?? names.lazy.compactMap { byClass[$0] }.first
  }
}

extension DesktopFile {
  /// The largest usual files, full of translations, have some 60 KiB; the relevant group is the first.
  private static let maximumBytes = 256 * 1024
  /// Protects against circular links.
  private static let deepest = 8

  /// Finds the desktop files below a directory.
  /// - Parameters:
  ///   - prefix: the prefix of the ids: the path of the subdirectory, with `-` for `/`.
  ///   - found: receives each file, and its desktop file id without `.desktop`.
  ///   - enters: receives the path of each subdirectory, and returns whether to search it.
  static func search(
    _ directory: String, prefix: String = "", depth: Int = 0, found: (Self, _ id: String) -> Void,
    enters: (String) -> Bool
  ) {
    guard depth < deepest else { return }
    for name in SystemFile.names(in: directory) where !name.hasPrefix(".") {
      let path = "\(directory)/\(name)"
      if name.hasSuffix(".desktop") {
        let bytes = SystemFile.bytes(of: path, maximumBytes: maximumBytes, onlyFiles: true)
        bytes?.withUnsafeBytes { found(Self($0), prefix + name.withoutDesktopSuffix) }
      } else if SystemFile.isDirectory(path), enters(path) {
        search(path, prefix: "\(prefix)\(name)-", depth: depth + 1, found: found, enters: enters)
      }
    }
  }
}

/// The applications of this machine, by the names that rules may use.
package struct InstalledApplications {
  /// The names that windows have by the desktop files.
  package private(set) var names: [String] = []
  /// The desktop file ids by the program's name in lowercase.
  private var ids: [String: Set<String>] = [:]
  private let programs: ProgramSearch

  /// - Parameter variable: returns the value of an environment variable.
  package init(_ variable: (String) -> String? = Environment.variable) {
    programs = ProgramSearch(variable)
    for directory in DesktopFiles.directories(variable: variable) {
      DesktopFile.search(directory) { file, id in
        let short = id.split(separator: ".").last.map(String.init)
        names += [id, short, file.startupWMClass].compactMap(\.self)
        if let program = file.program { ids[program.lowercased(), default: []].insert(id) }
      } enters: { _ in
        true
      }
    }
  }

  /// - Parameter name: one of an application's names, or a pattern.
  package func contain(_ name: String) -> Bool {
    isProgram(name) || isProgram(name.lowercased())
      || (names + ids.keys).contains { ApplicationRule.pattern(name, matches: $0) }
  }

  /// The desktop file id of the only application with this program, if its windows do not have the program's name.
  package func application(startedBy program: String) -> String? {
    guard let ids = ids[program.lowercased()], ids.count == 1,
      !names.contains(where: { ApplicationRule.pattern(program, matches: $0) })
    else { return nil }
    return ids.first
  }

  private func isProgram(_ name: String) -> Bool { !name.contains("/") && programs.path(of: name) != nil }
}
