// SPDX-License-Identifier: MIT

import CEvdev
import Glibc
import System
import Temporary
import Testing

@testable import SensorSources

/// A pipe replaces the kernel's node: it delivers events, and it ends.
@MainActor @Suite struct EventDeviceTests {
  @Test func `a device that has gone is reported as gone`() throws {
    let directory = try TemporaryDirectory()
    let path = directory["event0"]
    try #require(mkfifo(path, 0o600) == 0)
    let device = try EventDevice(path)
    let kernel = open(path, O_WRONLY | O_CLOEXEC)
    try #require(kernel >= 0)
    let loop = try EventLoop()
    var codes: [UInt16] = []
    var presence: [Bool] = []
    try device.watch(on: loop, receive: { codes.append($0.code) }, changed: { presence.append($0) })
    var event = input_event()
    event.code = 7
    #expect(write(kernel, &event, MemoryLayout<input_event>.size) == MemoryLayout<input_event>.size)
    try loop.runOnce(timeoutNanoseconds: .max)
    #expect(codes == [7] && presence == [true])
    close(kernel)
    try loop.runOnce(timeoutNanoseconds: .max)
    #expect(codes == [7] && presence == [true, false])
    device.stop()
    withExtendedLifetime(directory) {}
  }
}
