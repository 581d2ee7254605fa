// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import Testing
import Waiting

@testable import System

/// A bus that accepts connections and never answers, like a stopped one.
@MainActor @Suite(.serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct SilentBusTests {
  let home: PrivateBus

  init() throws {
    home = try PrivateBus()
    home.freeze()
  }

  /// sd-bus's own timeout for this is 90 s.
  @Test func `a blocking call to a silent bus fails`() throws {
    let bus = try Bus(.at(address: home.address))
    let error = #expect(throws: BusError.self) { try bus.callAndWait(.driver, "GetId") }
    #expect(error?.name == BusError.silentBus)
    #expect(error?.message == "the bus at \(home.address) does not answer")
    #expect(Bus.handshakeTimeout < .seconds(1))
    #expect(throws: BusError.self) {
      try bus.callAndWait(.driver, "RequestName", [.string("org.example.Name")])
    }
  }

  @Test func `a blocking call to a continued bus gets its answer`() throws {
    let bus = try Bus(.at(address: home.address))
    #expect(throws: BusError.self) { try bus.callAndWait(.driver, "GetId", timeout: .milliseconds(1)) }
    home.thaw()
    #expect(try home.run { (try? bus.callAndWait(.driver, "GetId")) != nil })
  }

  @Test func `a call times out and the loop continues`() throws {
    let bus = try home.connect()
    var answers: [Result<[Value], BusError>] = []
    try bus.call(.driver, "GetId", timeout: .milliseconds(50)) { answers.append($0) }
    #expect(try home.run { !answers.isEmpty })
    #expect(
      answers == [
        .failure(BusError(BusError.noReply, "calling GetId: no answer in time", .unanswered("calling GetId")))
      ])
    home.thaw()
    try bus.call(.driver, "GetId") { answers.append($0) }
    #expect(try home.run { answers.count == 2 })
    #expect((try? answers.last?.get()) != nil)
    try home.deliver()
    #expect(answers.count == 2, "the late answer to the first call is not reported")
  }

  /// Only a bus that is not ready has this timer; sd-bus has its own.
  @Test func `a call is not completed after closing`() throws {
    let bus = try home.connect()
    try bus.call(.driver, "GetId", timeout: .milliseconds(20)) { _ in Issue.record("was closed") }
    bus.close()
    try home.loop.settle()
    #expect(!bus.isReady)
  }

  @Test func `only a bus that is not ready yet has a timer`() throws {
    let bus = try home.connect()
    try home.runPending()
    #expect(home.loop.nextTimer != nil)
    bus.close()
    try home.runPending()
    #expect(home.loop.nextTimer == nil)
    home.thaw()
    let other = try home.connect()
    #expect(try home.run { other.isReady })
    try home.deliver()
    #expect(home.loop.nextTimer == nil)
  }

  /// sd-bus would wait for the handshake, to send what is queued.
  @Test func `the end of the loop does not wait for the bus`() throws {
    let bus = try home.connect()
    try bus.call(.driver, "GetId") { _ in }
    home.loop.exit(3)
    #expect(try home.loop.run() == 3)
    withExtendedLifetime(bus) {}
  }

  @Test func `a name is owned once the bus answers`() throws {
    let bus = try home.connect()
    var isReady = 0
    var ownership: Result<NameOwnership, BusError>?
    let ready = try bus.match(.connected) { _ in isReady += 1 }
    try bus.requestName("org.example.Name") { ownership = $0 }
    #expect(throws: BusError.self) { try bus.uniqueName() }
    try home.runPending()
    #expect(ownership == nil)
    #expect(isReady == 0)
    home.thaw()
    #expect(try home.run { ownership != nil })
    #expect(ownership == .success(.owned))
    #expect(isReady == 1)
    #expect(try bus.uniqueName().hasPrefix(":"))
    withExtendedLifetime(ready) {}
  }

  @Test func `silence is reported once and may end`() throws {
    let bus = try Bus(.at(address: home.address))
    try bus.attach(to: home.loop, silentAfter: 1_000_000)
    var reports: [String] = []
    bus.onSilent = { reports.append("silent") }
    let ready = try bus.match(.connected) { _ in reports.append("ready") }
    try home.loop.wait(for: "reports") { !reports.isEmpty }
    #expect(reports == ["silent"])
    home.thaw()
    #expect(try home.run { reports.count == 2 })
    #expect(reports == ["silent", "ready"])
    withExtendedLifetime(ready) {}
  }

  @Test func `a bus counts as silent after five seconds`() throws {
    let bus = try home.connect()
    try home.runPending()
    let left = try #require(home.loop.nextTimer)
    // The timer of the kernel may be late by a little.
    #expect((1...6_000_000_000).contains(left))
    withExtendedLifetime(bus) {}
  }

  @Test func `a taken name is reported with its process`() throws {
    home.thaw()
    let first = try home.connect()
    let second = try home.connect()
    var ownerships: [Result<NameOwnership, BusError>] = []
    try first.requestName("org.example.Name") { ownerships.append($0) }
    #expect(try home.run { ownerships.count == 1 })
    try second.requestName("org.example.Name") { ownerships.append($0) }
    #expect(try home.run { ownerships.count == 2 })
    #expect(ownerships == [.success(.owned), .success(.taken(byProcess: UInt32(getpid())))])
  }

  /// Without polling: inotify watches the socket's directory.
  @Test func `a missing socket is awaited`() throws {
    home.thaw()
    home.kill()
    unlink(home.socket)
    let bus = try Bus(.at(address: home.address), awaitsSocket: true)
    try bus.attach(to: home.loop, silentAfter: 1_000_000)
    var isReady = false
    let ready = try bus.match(.connected) { _ in isReady = true }
    try home.loop.settle()
    #expect(!isReady)
    try home.restart()
    #expect(try home.run { isReady })
    withExtendedLifetime(ready) {}
  }

  /// Left by a crashed bus.
  @Test func `a socket without a listener is awaited`() throws {
    home.thaw()
    home.kill()
    #expect(access(home.socket, F_OK) == 0)
    let bus = try Bus(.at(address: home.address), awaitsSocket: true)
    try bus.attach(to: home.loop)
    var isReady = false
    let ready = try bus.match(.connected) { _ in isReady = true }
    try home.runPending()
    try home.restart()
    #expect(try home.run { isReady })
    withExtendedLifetime(ready) {}
  }
}
