// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import System
import Testing

@testable import DesktopBackends

@Suite("queued bus messages of the X server", .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct QueuedBusMessagesTests {
  private let home: PrivateBus
  /// Takes the place of the X server.
  private let server: Stranger

  init() throws {
    home = try PrivateBus()
    server = try Stranger(on: home)
  }

  private func receivesSignal(sentTo process: pid_t, times: Int = 1) throws -> Bool {
    let messages = QueuedBusMessages(of: UInt32(process), loop: home.loop, on: .at(address: home.address))
    for _ in 1...times {
      messages.handle()
      try home.deliver()
    }
    return try server.hasReceived("org.autorotate.QueuedMessages")
  }

  @Test func `the server receives a signal`() throws {
    #expect(try receivesSignal(sentTo: getpid()))
  }

  @Test func `the server receives a signal each time`() throws {
    #expect(try receivesSignal(sentTo: getpid()))
    #expect(try receivesSignal(sentTo: getpid(), times: 2))
  }

  @Test func `no other process receives the signal`() throws {
    #expect(try !receivesSignal(sentTo: getppid()))
  }

  @Test func `a missing bus is no failure`() throws {
    home.kill()
    QueuedBusMessages(of: 1, loop: home.loop, on: .at(address: home.address)).handle()
    try home.runPending()
  }
}
