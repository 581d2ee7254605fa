// SPDX-License-Identifier: MIT

import CSystemdShims
import Glibc

/// Descriptors and memory, of which the system may give this process no more.
nonisolated package enum Resources {
  /// More than a start needs.
  private static let descriptorsOfAStart = 48
  private static let bytesOfAStart = 32 << 20

  /// Whether a start may have failed for want of descriptors or memory. That passes, unlike a missing sensor.
  package static var areScarce: Bool { !hasDescriptors || !hasMemory }

  private static var hasDescriptors: Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < descriptorsOfAStart {
      let descriptor = eventfd(0, O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  private static var hasMemory: Bool {
    let memory = mmap(nil, bytesOfAStart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard memory != MAP_FAILED else { return false }
    munmap(memory, bytesOfAStart)
    return true
  }

  /// Gives the memory of large messages back when they are freed. By default the first large block that is freed lets
  /// the C library keep later ones of that size, up to 32 MB.
  package static func returnLargeBlocks() {
    mallopt(M_MMAP_THRESHOLD, 128 << 10)
  }
}
