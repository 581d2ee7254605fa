// SPDX-License-Identifier: MIT

package import Autorotation
import Language
package import System

/// The settings of this person on this machine, read anew whenever a file changes.
///
/// If a file breaks, what it said before applies until it is mended. Of one that was never valid, what can be
/// understood applies: the other keys of a config.toml, nothing of a rule.
@MainActor
package final class ConfigurationFiles {
  /// Editors write in several steps; changes that follow each other this closely count as one.
  static let debounceNanoseconds: Int64 = 100_000_000
  /// A file that changes all the time is still read this often.
  static let longestDebounceNanoseconds: Int64 = 1_000_000_000

  package private(set) var current = Configuration()
  /// The aspect of the panel's natural picture, once known; makes the diagnostics more precise.
  package var naturalAspect: PanelAspect? {
    didSet { if naturalAspect != oldValue, hasStarted { merge() } }
  }

  private let loop: EventLoop
  private let directories: ConfigurationDirectories
  private let report: (Configuration) -> Void
  private var files: [ReadFile] = []
  /// The files as they were last read, by path.
  private var asRead: [String: ReadFile] = [:]
  /// The last version of each file that had no error, by path.
  private var sound: [String: ReadFile] = [:]
  private var watch: DirectoryWatch?
  private var watchFailure: Diagnostic?
  private var timer: EventTimer?
  private var firstChange: Int64?
  /// The earliest time of the next reload, in nanoseconds since boot.
  private var nextReload: Int64 = 0
  private var hasStarted = false

  /// - Parameter report: is called at the start, and after each change that makes a difference.
  package init(
    loop: EventLoop, directories: ConfigurationDirectories = ConfigurationDirectories(),
    report: @escaping (Configuration) -> Void
  ) {
    self.loop = loop
    self.directories = directories
    self.report = report
  }

  /// Reads, reports, and starts to watch. To be called once.
  /// - Throws: `SystemError` if the loop takes no timer.
  package func start() throws {
    timer = try loop.timer { [unowned self] in reloadInTurn() }
    reload()
  }

  /// Reads everything now: for SIGHUP, and where changes cannot be watched.
  package func reload() {
    firstChange = nil
    timer?.arm(at: nil)
    // Watch first, then read: a change in between is seen twice rather than never.
    let plan = WatchPlan(directories)
    startWatching(plan)
    let found = FileSearch(directories).files
    let planWithLinks = WatchPlan(directories, files: found)
    if planWithLinks != plan { startWatching(planWithLinks) }
    let read = found.map { file in
      // Parsing unchanged files again would only delay the loop.
      asRead[file.path].flatMap { $0.file == file ? $0 : nil } ?? ReadFile(file)
    }
    asRead = Dictionary(read.map { ($0.file.path, $0) }) { first, _ in first }
    files = read.map(keepSound)
    merge()
  }

  /// Reads what has changed already, without waiting for more: for events that come after a change, and whose handling
  /// depends on it.
  package func reloadIfChanged() {
    watch?.readChanges()
    if firstChange != nil, EventLoop.now >= nextReload { reloadInTurn() }
  }

  /// Called by the timer. However often files change, at most a tenth of the time is spent on reading them.
  private func reloadInTurn() {
    let start = EventLoop.now
    reload()
    nextReload = EventLoop.now + 9 * (EventLoop.now - start)
  }

  private func startWatching(_ plan: WatchPlan) {
    do {
      watch = try DirectoryWatch(plan, loop: loop) { [unowned self] in scheduleReload() }
      watchFailure = nil
    } catch {
      watch = nil
      watchFailure = Diagnostic(
        .warning, path: directories.all.first?.path ?? "settings",
        message: localized("changes go unnoticed (\(error))"),
        advice: localized("After a change, send autorotate the signal SIGHUP."))
    }
  }

  private func scheduleReload() {
    let now = EventLoop.now
    let first = firstChange ?? now
    firstChange = first
    let debounced = min(now + Self.debounceNanoseconds, first + Self.longestDebounceNanoseconds)
    timer?.arm(at: max(debounced, nextReload))
  }

  private func keepSound(_ file: ReadFile) -> ReadFile {
    let path = file.file.path
    guard file.isBroken else {
      sound[path] = file
      return file
    }
    return sound[path].map { file.keeping($0) } ?? file
  }

  private func merge() {
    let paths = Set(files.map(\.file.path))
    sound = sound.filter { paths.contains($0.key) }
    var merged = ConfigurationMerge(files, aspect: naturalAspect).merged
    if let watchFailure { merged.diagnostics.append(watchFailure) }
    guard merged != current || !hasStarted else { return }
    hasStarted = true
    current = merged
    report(merged)
  }
}

extension ReadFile {
  /// What the file said before it broke, with what is wrong with it now.
  fileprivate func keeping(_ earlier: ReadFile) -> ReadFile {
    let message = localized("keeps what it said before, until it is mended")
    let note = Diagnostic(.note, path: file.path, message: message)
    return ReadFile(file: earlier.file, contents: earlier.contents, diagnostics: diagnostics + [note])
  }
}
