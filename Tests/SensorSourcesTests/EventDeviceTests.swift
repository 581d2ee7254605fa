// SPDX-License-Identifier: MIT

import CEvdev
import Glibc
import System
import Temporary
import Testing

@testable import SensorSources

/// A pipe replaces the kernel's node: it delivers events, and it ends.
@MainActor @Suite struct EventDeviceTests {
  @MainActor private final class Log {
    var codes: [UInt16] = []
    var presence: [Bool] = []
  }

  private let directory: TemporaryDirectory
  private let loop: EventLoop
  private let device: EventDevice
  private let kernel: Int32
  private let log = Log()

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory["event0"]
    try #require(mkfifo(path, 0o600) == 0)
    loop = try EventLoop()
    device = try EventDevice(path)
    kernel = open(path, O_WRONLY | O_CLOEXEC)
    try #require(kernel >= 0)
    try device.watch(
      on: loop, receive: { [log] in log.codes.append($0.code) }, changed: { [log] in log.presence.append($0) }
    )
  }

  /// The loop handles the events of these codes.
  private func deliver(_ codes: [UInt16]) throws {
    var events = codes.map { code in
      var event = input_event()
      event.code = code
      return event
    }
    let size = events.count * MemoryLayout<input_event>.stride
    try #require(write(kernel, &events, size) == size)
    try loop.runOnce(timeoutNanoseconds: .max)
  }

  @Test func `a device that has gone is reported as gone`() throws {
    try deliver([7])
    #expect(log.codes == [7] && log.presence == [true])
    close(kernel)
    errno = EAGAIN
    try loop.runOnce(timeoutNanoseconds: .max)
    #expect(log.codes == [7] && log.presence == [true, false])
  }

  @Test(arguments: [63, 64, 65] as [UInt16])
  func `many events are received at once and in order`(count: UInt16) throws {
    try deliver(Array(0..<count))
    #expect(log.codes == Array(0..<count) && log.presence == [true])
    close(kernel)
  }
}
