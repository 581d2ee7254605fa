// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// Connects to an X server in the background. xcb waits for the server's first answer without limit, and one
/// that is stopped, or grabbed by another client, gives none until it goes on.
final class X11Connecting {
  /// For a person: ":0".
  let displayName: String
  /// Can be read once there is an answer.
  private(set) var descriptor: Int32 = -1

  /// What xcb made of it, as it goes through the pipe.
  private struct Outcome {
    /// The address of xcb's handle.
    var handle: UInt = 0
    var screen: Int32 = 0
  }

  /// - Parameter display: like `DISPLAY`, which is taken if it is `nil`.
  init(display: String?) throws {
    let name = display ?? Environment.variable("DISPLAY")
    guard let name, !name.isEmpty else { throw Message.noXDisplay }
    displayName = name
    let pipe = try Pipe()
    descriptor = pipe.reading
    let writing = pipe.writing
    do {
      try BackgroundThread.start { Self.connect(to: name, telling: writing) }
    } catch {
      close(writing)
      throw error
    }
  }

  isolated deinit {
    if wait(until: 0), let outcome = take() { Self.disconnect(outcome) }
    letGo()
  }

  /// - Parameter deadline: nanoseconds since boot.
  /// - Returns: whether there is an answer.
  func wait(until deadline: Int64) -> Bool {
    DescriptorWait.isReadable(descriptor, until: deadline)
  }

  /// The connection, when there is an answer.
  /// - Throws: `Message`.
  func finish(patience: Int64 = X11Patience().replies) throws -> X11Connection {
    let outcome = take()
    letGo()
    guard let outcome, let handle = OpaquePointer(bitPattern: outcome.handle) else {
      throw Message.cannotConnectToX(displayName)
    }
    return try X11Connection(
      taking: handle, screen: outcome.screen, displayName: displayName, patience: patience)
  }

  private func take() -> Outcome? {
    var outcome = Outcome()
    let size = MemoryLayout<Outcome>.size
    return read(descriptor, &outcome, size) == size ? outcome : nil
  }

  private func letGo() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  nonisolated private static func connect(to name: String, telling pipe: Int32) {
    var outcome = Outcome()
    outcome.handle = UInt(bitPattern: xcb_connect(name, &outcome.screen))
    // Nobody may be waiting for it any more.
    if write(pipe, &outcome, MemoryLayout<Outcome>.size) < 0 { disconnect(outcome) }
    close(pipe)
  }

  nonisolated private static func disconnect(_ outcome: Outcome) {
    if let handle = OpaquePointer(bitPattern: outcome.handle) { xcb_disconnect(handle) }
  }
}

/// Waiting for one descriptor outside the loop, with an end.
enum DescriptorWait {
  /// - Parameter deadline: nanoseconds since boot; the past looks without waiting.
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
