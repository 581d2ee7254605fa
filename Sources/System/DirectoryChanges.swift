// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// Records changes in directories with the kernel's inotify. Recording causes no wake-up; watch `descriptor`, which
/// becomes readable, to get one.
package final class DirectoryChanges {
  package struct Change: Equatable, Sendable {
    /// The number that `add` returned; -1 if unknown.
    package var directory: Int32
    /// The kernel's IN_… bits.
    package var mask: UInt32
    /// The name of the changed entry; "" for the directory itself.
    package var name: String

    /// Whether the directory itself is gone, or changes were lost.
    package var affectsAll: Bool {
      mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW) != 0
    }
  }

  package let descriptor: Int32

  /// - Throws: `SystemError` if the user's limit of inotify instances is reached.
  package init() throws(SystemError) {
    descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError(call: "inotify_init1", code: errno) }
  }

  isolated deinit {
    close(descriptor)
  }

  /// - Parameter mask: IN_… bits of the changes to record, besides the removal of the directory.
  /// - Returns: a number for the directory, the same for all paths to it; `nil` if it does not exist.
  /// - Throws: `SystemError` if the limit of inotify watches is reached.
  package func add(_ directory: String, _ mask: Int32) throws(SystemError) -> Int32? {
    let mask = mask | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let watch = inotify_add_watch(descriptor, directory, UInt32(mask) | UInt32(IN_MASK_ADD))
    if watch >= 0 { return watch }
    if errno == ENOENT || errno == ENOTDIR || errno == EACCES { return nil }
    throw SystemError(call: "inotify_add_watch \(directory)", code: errno)
  }

  /// The changes since the last call.
  package func take() -> [Change] {
    var changes: [Change] = []
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        Self.split(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &changes)
      }
    }
    return changes
  }

  private static func split(_ events: UnsafeRawBufferPointer, into changes: inout [Change]) {
    var events = events[...]
    while events.count >= MemoryLayout<inotify_event>.size {
      let event = events.loadUnaligned(fromByteOffset: 0, as: inotify_event.self)
      let rest = events.dropFirst(MemoryLayout<inotify_event>.size)
      let name = String(decoding: rest.prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self)
      changes.append(Change(directory: event.wd, mask: event.mask, name: name))
      events = rest.dropFirst(Int(event.len))
    }
  }
}
