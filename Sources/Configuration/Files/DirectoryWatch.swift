// SPDX-License-Identifier: MIT

import Glibc
import SystemBus

/// Tells of changes in directories, by inotify, as long as it lives.
@MainActor
final class DirectoryWatch {
  private let descriptor: Int32
  private let changed: () -> Void
  private var interests: [Int32: WatchPlan.Interest] = [:]
  private var source: EventSource?

  /// - Throws: `SystemError` if the kernel gives no more watches.
  init(_ plan: WatchPlan, loop: EventLoop, changed: @escaping () -> Void) throws {
    self.changed = changed
    descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError(call: "inotify_init1", code: errno) }
    for (directory, interest) in plan.interests { try add(directory, interest) }
    source = try loop.watch(descriptor) { [unowned self] in read() }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  private func add(_ directory: String, _ interest: WatchPlan.Interest) throws {
    var mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    if !interest.isOnTheWay { mask |= IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB }
    // Two paths may lead to one directory.
    let watch = inotify_add_watch(descriptor, directory, UInt32(mask) | UInt32(IN_MASK_ADD))
    guard watch >= 0 else {
      if errno == ENOENT || errno == ENOTDIR || errno == EACCES { return }
      throw SystemError(call: "inotify_add_watch \(directory)", code: errno)
    }
    interests[watch, default: .init()].formUnion(interest)
  }

  private func read() {
    var hasChanged = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        let events = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
        if concerns(events) { hasChanged = true }
      }
    }
    if hasChanged { changed() }
  }

  private func concerns(_ events: UnsafeRawBufferPointer) -> Bool {
    var events = events[...]
    var concerns = false
    while events.count >= MemoryLayout<inotify_event>.size {
      let event = events.loadUnaligned(fromByteOffset: 0, as: inotify_event.self)
      let rest = events.dropFirst(MemoryLayout<inotify_event>.size)
      let name = String(decoding: rest.prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self)
      if self.concerns(event, name) { concerns = true }
      events = rest.dropFirst(Int(event.len))
    }
    return concerns
  }

  private func concerns(_ event: inotify_event, _ name: String) -> Bool {
    let always = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_Q_OVERFLOW)
    if event.mask & always != 0 { return true }
    return interests[event.wd]?.covers(name) ?? false
  }
}
