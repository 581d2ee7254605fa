// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// The current settings of the user, re-read when a file changes.
///
/// If a file becomes invalid or unreadable, its last valid version stays in effect until it is fixed. Of a file that
/// was never valid, the valid parts apply: the other keys of a config.toml, but nothing of a rule.
@MainActor
package final class ConfigurationFiles {
  /// Editors write in several steps; changes within this time are read once.
  static let debounceNanoseconds: Int64 = 100_000_000
  /// Without a watch, and if resources were short, the files are read again after this time, and watching is tried
  /// again.
  static let retryNanoseconds: Int64 = 10_000_000_000
  /// The longest delay for a file that changes all the time.
  static let maximumDebounceNanoseconds: Int64 = 1_000_000_000

  package var current: Configuration { reported ?? Configuration() }
  /// The aspect of the panel in its natural orientation, once known; makes the diagnostics more precise.
  package var naturalAspect: PanelAspect? {
    didSet { if naturalAspect != oldValue, reported != nil { merge() } }
  }

  private let loop: EventLoop
  private let directories: ConfigurationDirectories
  private let report: (Configuration) -> Void
  private var files: [ParsedFile] = []
  /// The files as they were last read, by path.
  private var asRead: [String: ParsedFile] = [:]
  /// The last version of each file that had no error, by path.
  private var lastValid: [String: ParsedFile] = [:]
  private var watch: DirectoryWatch?
  private var watchFailure: Diagnostic?
  /// Why files were not read.
  private var readingFailures: [Diagnostic] = []
  private var timer: EventTimer?
  private var firstChange: Int64?
  /// The earliest time of the next reload, in nanoseconds since boot.
  private var nextReload: Int64 = 0
  /// `nil` before the start.
  private var reported: Configuration?

  /// - Parameter report: called at the start, and after each effective change.
  package init(
    loop: EventLoop, directories: ConfigurationDirectories = ConfigurationDirectories(),
    report: @escaping (Configuration) -> Void
  ) {
    self.loop = loop
    self.directories = directories
    self.report = report
  }

  /// Reads, reports, and starts to watch. Must be called once.
  /// - Throws: `SystemError` if a timer cannot be created.
  package func start() throws {
    timer = try loop.timer { [unowned self] in reloadAndThrottle() }
    readAll()
  }

  /// Reads all files now, and reports also what is unchanged: for SIGHUP.
  package func reload() {
    reported = nil
    readAll()
  }

  private func readAll() {
    firstChange = nil
    timer?.arm(at: nil)
    // Watch first, then read, so that a change in between is not missed.
    let plan = WatchPlan(directories)
    startWatching(plan)
    let search = FileSearch(directories, former: asRead.values.map(\.file))
    let found = search.files
    readingFailures = search.diagnostics
    let planWithLinks = WatchPlan(directories, files: found)
    if planWithLinks != plan { startWatching(planWithLinks) }
    if search.isIncomplete { timer?.arm(at: EventLoop.now + Self.retryNanoseconds) }
    let read = found.map { file in
      // Parsing unchanged files again would only delay the loop.
      asRead[file.path].flatMap { $0.file == file ? $0 : nil } ?? ParsedFile(file)
    }
    asRead = Dictionary(read.map { ($0.file.path, $0) }) { first, _ in first }
    files = read.map(validVersion(of:))
    merge()
  }

  /// Reads changed files now, without waiting for more changes: for events that depend on a preceding change.
  package func reloadIfChanged() {
    watch?.readChanges()
    if firstChange != nil { reloadAndThrottle() }
  }

  /// Called by the timer. However often files change, at most a tenth of the time is spent on reading them.
  private func reloadAndThrottle() {
    let start = EventLoop.now
    readAll()
    nextReload = EventLoop.now + 9 * (EventLoop.now - start)
  }

  private func startWatching(_ plan: WatchPlan) {
    // The kernel limits the inotify instances of a user, so the old one is released first.
    watch = nil
    do {
      watch = try DirectoryWatch(plan, loop: loop) { [unowned self] in scheduleReload() }
      watchFailure = nil
    } catch {
      timer?.arm(at: EventLoop.now + Self.retryNanoseconds)
      watchFailure = Diagnostic(
        severity: .warning, path: directories.all.first?.path ?? "settings",
        message: "changes are not detected (\(error))",
        advice: "After a change, send autorotate the signal SIGHUP.")
    }
  }

  private func scheduleReload() {
    let now = EventLoop.now
    let first = firstChange ?? now
    firstChange = first
    let debounced = min(now + Self.debounceNanoseconds, first + Self.maximumDebounceNanoseconds)
    timer?.arm(at: max(debounced, nextReload))
  }

  /// The file, or if it is broken, its last valid version with the diagnostics of the current one.
  private func validVersion(of file: ParsedFile) -> ParsedFile {
    let path = file.file.path
    guard file.isBroken else {
      lastValid[path] = file
      return file
    }
    guard let valid = lastValid[path] else { return file }
    let message: Phrase = "the previous version stays in effect until this file is fixed"
    let note = Diagnostic(severity: .note, path: path, message: message)
    return ParsedFile(valid, diagnostics: file.diagnostics + [note])
  }

  private func merge() {
    let paths = Set(files.map(\.file.path))
    lastValid = lastValid.filter { paths.contains($0.key) }
    var merged = ConfigurationMerge(files, aspect: naturalAspect).merged
    merged.diagnostics += readingFailures + [watchFailure].compactMap(\.self)
    guard merged != reported else { return }
    reported = merged
    report(merged)
  }
}
