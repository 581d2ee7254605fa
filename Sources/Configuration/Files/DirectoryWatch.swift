// SPDX-License-Identifier: MIT

import Glibc
import System

/// Tells of changes in the directories of a plan, as long as it lives.
@MainActor
final class DirectoryWatch {
  private let changes: DirectoryChanges
  private let changed: () -> Void
  private var interests: [Int32: WatchPlan.Interest] = [:]
  private var source: EventSource?

  /// - Throws: `SystemError` if the kernel gives no more watches.
  init(_ plan: WatchPlan, loop: EventLoop, changed: @escaping () -> Void) throws {
    self.changed = changed
    changes = try DirectoryChanges()
    for (directory, interest) in plan.interests { try add(directory, interest) }
    source = try loop.watch(changes.descriptor) { [unowned self] in read() }
  }

  isolated deinit {
    source?.cancel()
  }

  private func add(_ directory: String, _ interest: WatchPlan.Interest) throws {
    var mask = IN_CREATE | IN_MOVED_TO
    if !interest.isOnTheWay { mask |= IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB }
    guard let watch = try changes.add(directory, mask) else { return }
    interests[watch, default: .init()].formUnion(interest)
  }

  private func read() {
    // All are taken, so that the kernel has room for more.
    let concerning = changes.take().filter { change in
      change.concernsAll || interests[change.directory]?.covers(change.name) ?? false
    }
    if !concerning.isEmpty { changed() }
  }
}
