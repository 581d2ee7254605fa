// SPDX-License-Identifier: MIT

import Glibc

/// Held by the one process that may replace files in a directory. It ends with the process, however that ends.
nonisolated struct WriterLock: ~Copyable {
  /// Whoever may read the directory may lock it, too, which must not stop a program for ever.
  private static let patienceNanoseconds: Int64 = 2_000_000_000
  private static let pauseMicroseconds: UInt32 = 2_000

  private let directory: Int32
  /// Not where the file system knows no locks.
  let isHeld: Bool

  /// - Parameter path: of a file in the directory.
  /// - Throws: `EAGAIN` if another holds it for long.
  init(besides path: String) throws(SystemError) {
    let name = SystemFile.split(path).directory
    directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let code = directory < 0 ? errno : Self.lock(directory)
    isHeld = code == 0
    if code == EAGAIN { throw SystemError(call: "flock \(name)", code: code) }
  }

  deinit {
    if directory >= 0 { close(directory) }
  }

  /// New names are on the disk only when the directory is. Some file systems cannot tell, which is no error.
  func keepNames() {
    if directory >= 0 { fsync(directory) }
  }

  private static func lock(_ directory: Int32) -> Int32 {
    let end = EventLoop.now + patienceNanoseconds
    while flock(directory, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EAGAIN || errno == EINTR else { return errno }
      guard EventLoop.now < end else { return EAGAIN }
      usleep(pauseMicroseconds)
    }
    return 0
  }
}
