// SPDX-License-Identifier: MIT

import CEvdev
import Glibc
import System

/// An input device of the kernel, /dev/input/event*, whose events the loop receives. It causes no wake-ups without events.
final class EventDevice {
  /// Events in one read.
  private static let batch = 64

  let descriptor: Int32
  private var source: EventSource?

  /// - Throws: `SystemError`, with EACCES if the user may not read it.
  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open \(path)", code: errno) }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// - Parameters:
  ///   - receive: called for each event.
  ///   - changed: called once for all events that came together; `isConnected` is `false` when the device is gone. Then it
  ///     has to be released, since it would wake the loop without end.
  func watch(
    on loop: EventLoop, receive: @escaping (input_event) -> Void = { _ in },
    changed: @escaping (_ isConnected: Bool) -> Void
  ) throws {
    source = try loop.watch(descriptor) { [weak self] in
      guard let self else { return }
      changed(drain(receive))
    }
  }

  /// - Returns: whether the device is still there.
  private func drain(_ receive: (input_event) -> Void) -> Bool {
    let size = Self.batch * MemoryLayout<input_event>.stride
    return withUnsafeTemporaryAllocation(of: input_event.self, capacity: Self.batch) { events in
      var count = size
      while count == size {
        count = read(descriptor, events.baseAddress, size)
        for index in 0..<max(0, count / MemoryLayout<input_event>.stride) { receive(events[index]) }
      }
      return count > 0 || count < 0 && errno == EAGAIN
    }
  }
}
