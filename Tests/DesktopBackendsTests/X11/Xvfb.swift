// SPDX-License-Identifier: MIT

import Glibc

/// An X server that cannot rotate, and that a test may end.
@MainActor
final class Xvfb {
  nonisolated static var isInstalled: Bool { system("command -v Xvfb >/dev/null") == 0 }

  var display: String { ":\(number)" }

  private let number: Int32
  private let process: pid_t
  private let pipe: UnsafeMutablePointer<FILE>

  /// `nil` if it does not start.
  init?() {
    let command = "echo $$; exec Xvfb -displayfd 1 -screen 0 1280x800x24 -noreset -nolisten tcp 2>/dev/null"
    guard let pipe = popen(command, "re") else { return nil }
    guard let process = Self.number(from: pipe), let number = Self.number(from: pipe) else {
      pclose(pipe)
      return nil
    }
    self.pipe = pipe
    self.process = process
    self.number = number
  }

  isolated deinit {
    end()
    pclose(pipe)
  }

  /// Uses SIGKILL: tests run on threads with all other signals blocked, which the server inherits.
  func end() {
    kill(process, SIGKILL)
    unlink("/tmp/.X\(number)-lock")
    unlink("/tmp/.X11-unix/X\(number)")
  }

  private static func number(from pipe: UnsafeMutablePointer<FILE>) -> Int32? {
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, Int32(line.count), pipe) != nil else { return nil }
    return line.withUnsafeBufferPointer { $0.baseAddress.map { Int32(atoi($0)) } }
  }
}
