// SPDX-License-Identifier: MIT

import Glibc

/// A lock of the process that may replace files in a directory. The kernel releases it when the process ends.
nonisolated struct WriterLock: ~Copyable {
  /// Any process that can read the directory can also lock it, which must not block this program for ever.
  private static let timeoutNanoseconds: Int64 = 2_000_000_000
  private static let pauseMicroseconds: UInt32 = 2_000

  private let directory: Int32
  /// `false` if the file system does not support locks, or root writes without one.
  let isHeld: Bool

  /// - Parameters:
  ///   - path: of a file in the directory.
  ///   - isRoot: whether no other process may prevent writing: every user can lock a directory like /etc/greetd.
  /// - Throws: `EAGAIN` if another process keeps it longer than the timeout.
  init(nextTo path: String, isRoot: Bool = geteuid() == 0) throws(SystemError) {
    let name = SystemFile.split(path).directory
    directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let code = directory < 0 ? errno : Self.lock(directory)
    isHeld = code == 0
    if code == EAGAIN, !isRoot { throw SystemError(call: "flock \(name)", code: code) }
  }

  deinit {
    if directory >= 0 { close(directory) }
  }

  /// Writes new names to the disk. It is not an error that some file systems do not support this.
  func syncDirectory() {
    if directory >= 0 { fsync(directory) }
  }

  /// - Returns: an errno; 0 for success.
  static func lock(_ directory: Int32) -> Int32 {
    let end = EventLoop.now + timeoutNanoseconds
    while flock(directory, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EAGAIN || errno == EINTR else { return errno }
      guard EventLoop.now < end else { return EAGAIN }
      usleep(pauseMicroseconds)
    }
    return 0
  }
}
