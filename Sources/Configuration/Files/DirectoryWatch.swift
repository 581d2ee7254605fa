// SPDX-License-Identifier: MIT

import Glibc
import System

/// Reports changes in the directories of a plan.
@MainActor
final class DirectoryWatch {
  private let changes: DirectoryChanges
  private let changed: () -> Void
  private var interests: [Int32: WatchPlan.Interest] = [:]
  private var source: EventSource?

  /// - Throws: `SystemError` if the limit of inotify watches is reached.
  init(_ plan: WatchPlan, loop: EventLoop, changed: @escaping () -> Void) throws {
    self.changed = changed
    changes = try DirectoryChanges()
    for (directory, interest) in plan.interests { try add(directory, interest) }
    source = try loop.watch(changes.descriptor) { [unowned self] in readChanges() }
  }

  isolated deinit {
    source?.cancel()
  }

  private func add(_ directory: String, _ interest: WatchPlan.Interest) throws {
    var mask = IN_CREATE | IN_MOVED_TO
    if !interest.isParentOnly { mask |= IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB }
    guard let watch = try changes.add(directory, mask) else { return }
    interests[watch, default: .init()].formUnion(interest)
  }

  func readChanges() {
    // Read all changes, to empty the kernel's queue.
    let relevant = changes.take().filter { change in
      change.affectsAll || interests[change.directory]?.covers(change.name) ?? false
    }
    if !relevant.isEmpty { changed() }
  }
}

/// The directories to watch, and the names in them, so that no change of a setting is missed.
struct WatchPlan: Equatable {
  struct Interest: Equatable {
    var names: Set<String> = []
    /// Whether all rules in it are watched.
    var rules = false
    /// Whether only the creation of these names is watched: in a parent of a missing directory.
    var isParentOnly = true

    func covers(_ name: String) -> Bool { names.contains(name) || rules && FileSearch.isRule(name) }

    mutating func formUnion(_ other: Self) {
      names.formUnion(other.names)
      rules = rules || other.rules
      isParentOnly = isParentOnly && other.isParentOnly
    }
  }

  private(set) var interests: [String: Interest] = [:]

  init(_ directories: ConfigurationDirectories, files: [ConfigurationFile] = []) {
    for directory in directories.all {
      let settings: Set = directory.mayHaveSettings ? ["config.toml", "apps"] : ["apps"]
      add(Interest(names: settings, isParentOnly: false), in: directory.path)
      add(Interest(rules: true, isParentOnly: false), in: directory.rules)
      addLinks(in: directory.path)
    }
    files.map(\.path).forEach { addTarget(ofLink: $0) }
  }

  /// For a directory that does not exist, its nearest existing parent is watched for the next part of the path.
  private mutating func add(_ interest: Interest, in directory: String) {
    var directory = directory
    var interest = interest
    while !SystemFile.isDirectory(directory), directory.count > 1, let slash = directory.lastIndex(of: "/") {
      interest = Interest(names: [String(directory[directory.index(after: slash)...])])
      directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
    }
    interests[directory, default: Interest()].formUnion(interest)
  }

  /// Also watches the links in the path of a directory: the kernel watches only the directory that they lead to now.
  private mutating func addLinks(in path: String) {
    let (parent, name) = SystemFile.split(path)
    guard parent.hasPrefix("/"), !name.isEmpty else { return }
    let directory = parent.withoutLastSlash
    if SystemFile.linkTarget(of: path) != nil { add(Interest(names: [String(name)]), in: directory) }
    addLinks(in: directory)
  }

  /// Also watches the target of a link, since users may keep their settings elsewhere and link to them.
  private mutating func addTarget(ofLink path: String) {
    guard SystemFile.linkTarget(of: path) != nil, let target = SystemFile.realPath(path) else { return }
    let (directory, name) = SystemFile.split(target)
    add(Interest(names: [String(name)], isParentOnly: false), in: directory.withoutLastSlash)
  }
}
