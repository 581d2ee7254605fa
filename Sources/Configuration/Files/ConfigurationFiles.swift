// SPDX-License-Identifier: MIT

package import Autorotation
import Language
package import System

/// The settings of this person on this machine, read anew whenever a file changes.
///
/// A file that breaks keeps what it said before, until it is mended. One that is broken from the beginning
/// says what can be understood of it: the other keys of a config.toml, nothing of a rule.
@MainActor
package final class ConfigurationFiles {
  /// Editors write in several steps; what follows this closely is one change.
  static let settleNanoseconds: Int64 = 100_000_000
  /// Yet a file that never rests is read now and then.
  static let longestSettleNanoseconds: Int64 = 1_000_000_000

  package private(set) var current = Configuration()
  /// Which way the panel's natural picture lies, once that is known; sharpens the diagnostics.
  package var naturalAspect: PanelAspect? {
    didSet { if naturalAspect != oldValue, hasStarted { merge() } }
  }

  private let loop: EventLoop
  private let directories: ConfigurationDirectories
  private let report: (Configuration) -> Void
  private var files: [ReadFile] = []
  /// As they were read last, by path.
  private var asRead: [String: ReadFile] = [:]
  /// By path: what each file said when it was last without an error.
  private var sound: [String: ReadFile] = [:]
  private var watch: DirectoryWatch?
  private var watchFailure: Diagnostic?
  private var timer: EventTimer?
  private var firstChange: Int64?
  /// Not before, in nanoseconds since boot.
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

  /// Reads, reports, and from now on watches. To be called once.
  /// - Throws: `SystemError` if the loop takes no timer.
  package func start() throws {
    timer = try loop.timer { [unowned self] in reloadInTurn() }
    reload()
  }

  /// Reads everything now: for SIGHUP, and where changes cannot be watched.
  package func reload() {
    firstChange = nil
    timer?.arm(at: nil)
    // Watched before read: what changes in between is seen twice rather than never.
    let plan = WatchPlan(directories)
    startWatching(plan)
    let found = FileSearch(directories).files
    let planWithLinks = WatchPlan(directories, files: found)
    if planWithLinks != plan { startWatching(planWithLinks) }
    let read = found.map { file in
      // Reading again what has not changed takes time that others wait for.
      asRead[file.path].flatMap { $0.file == file ? $0 : nil } ?? ReadFile(file)
    }
    asRead = Dictionary(read.map { ($0.file.path, $0) }) { first, _ in first }
    files = read.map(keepSound)
    merge()
  }

  /// For timers: however often files change, reading them takes a tenth of the time at most.
  private func reloadInTurn() {
    let start = EventLoop.now
    reload()
    nextReload = EventLoop.now + 9 * (EventLoop.now - start)
  }

  private func startWatching(_ plan: WatchPlan) {
    do {
      watch = try DirectoryWatch(plan, loop: loop) { [unowned self] in settle() }
      watchFailure = nil
    } catch {
      watch = nil
      watchFailure = Diagnostic(
        .warning, path: directories.all.first?.path ?? "settings",
        message: localized("changes go unnoticed (\(error))"),
        advice: localized("After a change, send autorotate the signal SIGHUP."))
    }
  }

  private func settle() {
    let now = EventLoop.now
    let first = firstChange ?? now
    firstChange = first
    let settled = min(now + Self.settleNanoseconds, first + Self.longestSettleNanoseconds)
    timer?.arm(at: max(settled, nextReload))
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
  fileprivate func keeping(_ earlier: Self) -> Self {
    let message = localized("keeps what it said before, until it is mended")
    let note = Diagnostic(.note, path: file.path, message: message)
    return Self(file: earlier.file, contents: earlier.contents, diagnostics: diagnostics + [note])
  }
}
