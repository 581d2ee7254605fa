// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// Connects to an X server in a background thread. xcb waits for the server's first reply without limit, and a server
/// that is stopped, or grabbed by another client, sends none until it continues.
final class X11ConnectionAttempt {
  /// For the user: ":0".
  let displayName: String
  /// Readable once there is a result.
  private(set) var descriptor: Int32 = -1

  /// The result of xcb, as it is sent through the pipe.
  private struct Outcome {
    /// The address of xcb's handle.
    var handle: UInt = 0
    var screen: Int32 = 0
  }

  /// - Parameter display: like `DISPLAY`; `nil` for `DISPLAY` itself.
  init(display: String?) throws {
    let name = display ?? Environment.variable("DISPLAY")
    guard let name, !name.isEmpty else { throw Message.noXDisplay }
    displayName = name
    let pipe = try Pipe()
    descriptor = pipe.reading
    let writing = pipe.writing
    do {
      try BackgroundThread.start { Self.connect(to: name, reportingTo: writing) }
    } catch {
      close(writing)
      throw error
    }
  }

  isolated deinit {
    if wait(until: 0), let outcome = readOutcome() { Self.disconnect(outcome) }
    closePipe()
  }

  /// - Parameter deadline: nanoseconds since boot.
  /// - Returns: whether there is a result.
  func wait(until deadline: Int64) -> Bool {
    DescriptorWait.isReadable(descriptor, until: deadline)
  }

  /// The connection, once there is a result.
  /// - Throws: `Message`.
  func finish(timeout: Int64 = X11Timeouts().replies) throws -> X11Connection {
    let outcome = readOutcome()
    closePipe()
    guard let outcome, let handle = OpaquePointer(bitPattern: outcome.handle) else {
      throw Message.cannotConnectToX(displayName)
    }
    return try X11Connection(
      taking: handle, screen: outcome.screen, displayName: displayName, timeout: timeout)
  }

  private func readOutcome() -> Outcome? {
    var outcome = Outcome()
    let size = MemoryLayout<Outcome>.size
    return read(descriptor, &outcome, size) == size ? outcome : nil
  }

  private func closePipe() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  nonisolated private static func connect(to name: String, reportingTo pipe: Int32) {
    var outcome = Outcome()
    outcome.handle = UInt(bitPattern: xcb_connect(name, &outcome.screen))
    // The other end may be closed already.
    if write(pipe, &outcome, MemoryLayout<Outcome>.size) < 0 { disconnect(outcome) }
    close(pipe)
  }

  nonisolated private static func disconnect(_ outcome: Outcome) {
    if let handle = OpaquePointer(bitPattern: outcome.handle) { xcb_disconnect(handle) }
  }
}

/// Waits for one descriptor outside the loop, with a deadline.
enum DescriptorWait {
  /// - Parameter deadline: nanoseconds since boot; a past one only checks.
  /// - Returns: whether it can be read, or was hung up.
  static func isReadable(_ descriptor: Int32, until deadline: Int64) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = max(0, deadline - EventLoop.now)
      let count = poll(&wanted, 1, Int32(clamping: (left + 999_999) / 1_000_000))
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}
