// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// What the desktop files of this machine declare about orientations.
///
/// All of them are read at the first question, since any may name a WM_CLASS, and again when one has changed, which
/// the kernel tells. What few declare anything is kept. However often they change, reading takes a twentieth of the
/// time at most.
final class DesktopFiles {
  /// Against directories without end.
  private static let mostDirectories = 1000

  private let directories: [String]
  private let restFactor: Int64
  private var declared = DesktopFileIndex()
  /// `nil` before the first question, and where the kernel does not tell.
  private var changes: DirectoryChanges?
  /// Those of the directories that were not there.
  private var absent: [String] = []
  private var isStale = true
  /// Not to be read before, in nanoseconds since boot.
  private var nextReading: Int64 = 0

  /// - Parameters:
  ///   - directories: the nearest first.
  ///   - restFactor: how many times as long as reading took nothing is read again.
  init(
    directories: [String] = DesktopFiles.directories(),
    restFactor: Int64 = 20
  ) {
    self.directories = directories
    self.restFactor = restFactor
  }

  /// - Parameter names: all that the application goes by.
  func orientations(of names: [String]) -> [OrientationWord]? {
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
      change.concernsAll || change.mask & UInt32(IN_ISDIR) != 0 || change.name.hasSuffix(".desktop")
    }
    return !files.isEmpty || absent.contains { access($0, F_OK) == 0 }
  }

  private func readAll() {
    declared = DesktopFileIndex()
    changes = try? DirectoryChanges()
    isStale = false
    // Watched before it is read, so that a change in the meantime is one.
    absent = directories.filter { !watch($0) }
    var below = 0
    for directory in directories {
      DesktopFileWalk(
        file: { id, bytes in self.declared.add(DesktopFile(bytes), id: id) },
        directory: { directory in
          below += 1
          return below <= Self.mostDirectories && self.watch(directory)
        }
      ).walk(directory)
    }
  }

  /// - Returns: whether it is there.
  private func watch(_ directory: String) -> Bool {
    let mask = IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    do {
      return try changes?.add(directory, mask) != .some(.none)
    } catch {
      changes = nil
      return true
    }
  }

  /// Where desktop files are, by the XDG Base Directory Specification.
  static func directories(variable: (String) -> String? = Environment.variable) -> [String] {
    BaseDirectories(variable).data.map { "\($0)/applications" }
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

/// Finds the desktop files below a directory.
struct DesktopFileWalk {
  /// Takes the desktop file id, without `.desktop`, and the beginning of the file.
  let file: (String, UnsafeRawBufferPointer) -> Void
  /// Takes the path of each directory below, and tells whether to look into it.
  let directory: (String) -> Bool

  /// The largest on a usual machine, full of translations, have some 60 KiB; the group that counts is first.
  static let mostBytes = 256 * 1024
  /// Against links that lead in circles.
  private static let deepest = 8

  /// - Parameter prefix: of the ids: the directories between, with `-` for `/`.
  func walk(_ path: String, prefix: String = "", depth: Int = 0) {
    guard depth < Self.deepest else { return }
    for name in SystemFile.names(in: path) where !name.hasPrefix(".") {
      let below = "\(path)/\(name)"
      if name.hasSuffix(".desktop") {
        read(below, id: prefix + name.withoutDesktopSuffix)
      } else if Self.isDirectory(below), directory(below) {
        walk(below, prefix: "\(prefix)\(name)-", depth: depth + 1)
      }
    }
  }

  private func read(_ path: String, id: String) {
    // Not to wait for somebody to write into a FIFO.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let size = min(Int(status.st_size), Self.mostBytes)
    withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, size)
      file(id, UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)]))
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
