// SPDX-License-Identifier: MIT

import CEvdev
import Glibc
import System

/// One of the kernel's input devices, /dev/input/event*, whose events the loop takes. Costs nothing while it tells none.
final class EventDevice {
  /// Events in one read.
  private static let batch = 64

  let descriptor: Int32
  private var source: EventSource?

  /// - Throws: `SystemError`, with EACCES where the person may not read it.
  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open \(path)", code: errno) }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// - Parameters:
  ///   - take: called for each event.
  ///   - changed: called once for all that came together; `isThere` is `false` when the device is gone.
  func watch(
    on loop: EventLoop, take: @escaping (input_event) -> Void = { _ in },
    changed: @escaping (_ isThere: Bool) -> Void
  ) throws {
    source = try loop.watch(descriptor) { [weak self] in
      guard let self else { return }
      changed(drain(take))
    }
  }

  /// Takes no more events. A device that is gone would be told of without end.
  func stop() {
    source?.cancel()
    source = nil
  }

  /// - Returns: whether the device is still there.
  private func drain(_ take: (input_event) -> Void) -> Bool {
    let size = Self.batch * MemoryLayout<input_event>.stride
    return withUnsafeTemporaryAllocation(of: input_event.self, capacity: Self.batch) { events in
      var count = size
      while count == size {
        count = read(descriptor, events.baseAddress, size)
        for index in 0..<max(0, count / MemoryLayout<input_event>.stride) { take(events[index]) }
      }
      return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }
  }
}
