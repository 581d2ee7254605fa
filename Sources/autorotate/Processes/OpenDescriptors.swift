// SPDX-License-Identifier: MIT

import Glibc
import System

/// What this process has open.
enum OpenDescriptors {
  /// Sees to it that programs started from here on get none but the standard three. What this program
  /// opens is marked so from the start; whoever started it may have left others open.
  static func keepFromPrograms() {
    for name in SystemFile.names(in: "/proc/self/fd") {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      let flags = fcntl(descriptor, F_GETFD)
      guard flags >= 0, flags & FD_CLOEXEC == 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
    }
  }
}
