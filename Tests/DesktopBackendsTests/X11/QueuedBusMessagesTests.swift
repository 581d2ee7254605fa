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

  /// Whether the server receives a signal, each of two times.
  private func receivesSignal(sentTo process: pid_t) throws -> [Bool] {
    let messages = QueuedBusMessages(of: UInt32(process), loop: home.loop, on: .at(address: home.address))
    return try (1...2).map { _ in
      messages.handle()
      try home.deliver()
      return try server.hasReceived("org.autorotate.QueuedMessages")
    }
  }

  @Test func `the server receives a signal each time`() throws {
    #expect(try receivesSignal(sentTo: getpid()) == [true, true])
  }

  @Test func `no other process receives the signal`() throws {
    #expect(try receivesSignal(sentTo: getppid()) == [false, false])
  }

  @Test func `a missing bus is no failure`() throws {
    home.kill()
    QueuedBusMessages(of: 1, loop: home.loop, on: .at(address: home.address)).handle()
    try home.runPending()
  }
}
