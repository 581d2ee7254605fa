// SPDX-License-Identifier: MIT

import CSystemdShims
import Glibc

/// Descriptors and memory, which the system may refuse.
nonisolated package enum Resources {
  /// More than the start of the program needs.
  private static let descriptorsForStart = 48
  private static let bytesForStart = 32 << 20

  /// Whether a start may have failed for lack of descriptors or memory, which is temporary, unlike a missing sensor.
  package static var areScarce: Bool { !hasDescriptors || !hasMemory(of: bytesForStart) }

  private static var hasDescriptors: Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < descriptorsForStart {
      let descriptor = eventfd(0, O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  static func hasMemory(of bytes: Int) -> Bool {
    let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard memory != MAP_FAILED else { return false }
    munmap(memory, bytes)
    return true
  }

  /// Returns the memory of large messages to the system when they are freed. By default, after the first large block
  /// was freed, the C library keeps later ones of that size, up to 32 MB.
  ///
  /// All threads share one malloc arena. By default, the sensor's thread has its own, most of whose pages stay unused.
  package static func saveMemory() {
    mallopt(M_MMAP_THRESHOLD, 128 << 10)
    mallopt(M_ARENA_MAX, 1)
  }

  /// Returns the heap's free pages, and the stack's below the caller, to the system. By default, both keep what the
  /// largest task has used: reading the settings, rotating.
  package static func releaseMemory() {
    malloc_trim(0)
    csd_release_stack()
  }
}
