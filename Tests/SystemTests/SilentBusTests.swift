// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import System
import Testing
import Waiting

/// A bus that takes connections and never answers, as one that is stopped does.
@MainActor @Suite(.serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct SilentBusTests {
  let home: PrivateBus

  init() throws {
    home = try PrivateBus()
    home.freeze()
  }

  /// Its own time-out for this is 90 s.
  @Test func whoWaitsForItWaitsLessThanASecond() throws {
    let bus = try Bus(.at(address: home.address))
    let error = #expect(throws: BusError.self) { try bus.callAndWait(.driver, "GetId") }
    #expect(error?.name == BusError.silentBus)
    #expect(error?.message == "the bus at \(home.address) does not answer")
    #expect(Bus.handshakeTimeout < .seconds(1))
    #expect(throws: BusError.self) {
      try bus.callAndWait(.driver, "RequestName", [.string("org.example.Name")])
    }
  }

  @Test func whoWaitsForAThawedBusGetsTheAnswer() throws {
    let bus = try Bus(.at(address: home.address))
    #expect(throws: BusError.self) { try bus.callAndWait(.driver, "GetId", timeout: .milliseconds(1)) }
    home.thaw()
    #expect(try home.run { (try? bus.callAndWait(.driver, "GetId")) != nil })
  }

  @Test func aCallFailsInItsTimeAndTheLoopGoesOn() throws {
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
    #expect(answers.count == 2, "the late answer to the first call is not told")
  }

  @Test func aNameIsGotWhenItAnswers() throws {
    let bus = try home.connect()
    var isReady = 0
    var ownership: Result<NameOwnership, BusError>?
    bus.onReady = { isReady += 1 }
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
  }

  @Test func itIsSaidOnceAndMayBeOver() throws {
    let bus = try Bus(.at(address: home.address))
    try bus.attach(to: home.loop, silentAfter: 1_000_000)
    var news: [String] = []
    bus.onSilent = { news.append("silent") }
    bus.onReady = { news.append("ready") }
    try home.loop.wait(for: "news") { !news.isEmpty }
    #expect(news == ["silent"])
    home.thaw()
    #expect(try home.run { news.count == 2 })
    #expect(news == ["silent", "ready"])
  }

  @Test func `a bus counts as silent after five seconds`() throws {
    let bus = try home.connect()
    try home.runPending()
    let left = try #require(home.loop.nextTimer)
    // The timer of the kernel may be late by a little.
    #expect((1...6_000_000_000).contains(left))
    withExtendedLifetime(bus) {}
  }

  @Test func anotherHasTheName() throws {
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

  /// Nothing is asked again and again: the socket's directory tells.
  @Test func aSocketIsWaitedFor() throws {
    home.thaw()
    home.kill()
    unlink(home.socket)
    let bus = try Bus(.at(address: home.address), awaitsSocket: true)
    try bus.attach(to: home.loop, silentAfter: 1_000_000)
    var isReady = false
    bus.onReady = { isReady = true }
    try home.loop.settle()
    #expect(!isReady)
    try home.restart()
    #expect(try home.run { isReady })
  }

  /// What a crashed bus leaves behind.
  @Test func aSocketThatNobodyListensAtIsWaitedFor() throws {
    home.thaw()
    home.kill()
    #expect(access(home.socket, F_OK) == 0)
    let bus = try Bus(.at(address: home.address), awaitsSocket: true)
    try bus.attach(to: home.loop)
    var isReady = false
    bus.onReady = { isReady = true }
    try home.runPending()
    try home.restart()
    #expect(try home.run { isReady })
  }
}
