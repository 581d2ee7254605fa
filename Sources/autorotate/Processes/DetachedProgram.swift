// SPDX-License-Identifier: MIT

import Glibc
import System

/// A program that is started for the user and not watched.
enum DetachedProgram {
  static func start(_ command: [String]) throws(SystemError) {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    _ = try Launch(command: command, mode: .separate(output: nowhere)).start()
  }
}
