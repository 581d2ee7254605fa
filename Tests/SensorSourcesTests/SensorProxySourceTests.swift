// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing
import Waiting

@testable import SensorSources

@MainActor
@Suite(.serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct SensorProxySourceTests {
  private let bus: PrivateBus
  private let source: SensorProxySource
  private let log = Log()

  /// What a source reports.
  @MainActor final class Log {
    var events: [Event] = []

    var words: [DeviceOrientation] {
      events.compactMap { if case .deviceTurned(let word) = $0 { word } else { nil } }
    }
    var losses: [String] {
      events.compactMap { if case .sensorLost(let message) = $0 { message.description } else { nil } }
    }
    var finds: Int { events.count { if case .sensorFound = $0 { true } else { false } } }
  }

  init() throws {
    bus = try PrivateBus()
    source = SensorProxySource(loop: bus.loop, bus: .at(address: bus.address))
    try source.start { [log] event, _ in log.events.append(event) }
    #expect(log.events.isEmpty, "nothing is reported from within start")
  }

  private func expect(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, _ condition: () -> Bool
  ) throws {
    try bus.loop.wait(for: what, file: file, line: line, until: condition)
  }

  private func modernProxy() throws -> FakeProxy {
    try FakeProxy(on: bus, tilt: "vertical")
  }

  @Test func oneThatComesLaterIsFound() throws {
    try expect("absence") { log.losses == ["\(Message.noProxy)"] }
    let proxy = try modernProxy()
    try expect("the proxy") { log.finds == 1 }
    #expect(!proxy.isClaimed)
    #expect(proxy.claims == 0, "nothing is claimed before something is demanded")
  }

  @Test func theDemandClaimsAndReleases() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("left-up")
    source.demand(.resting)
    try expect("a word") { log.words == [.leftUp] }
    #expect(proxy.isClaimed)
    source.demand(.following)
    source.demand(.off)
    try expect("the release") { !proxy.isClaimed }
    try proxy.say("normal")
    source.demand(.resting)
    try expect("another word") { log.words == [.leftUp, .normal] }
    try expect("the second claim") { proxy.claims >= 2 }
  }

  @Test func aStaleValueIsNotTakenForAWord() throws {
    let proxy = try FakeProxy(on: bus)
    proxy.orientation = .string("left-up")
    // The first true word comes right behind the answer to the claim.
    proxy.afterClaim = { try? proxy.say("bottom-up") }
    source.demand(.resting)
    try expect("the first true word") { !log.words.isEmpty }
    #expect(log.words == [.bottomUp])
  }

  @Test func aValueThatStaysIsTakenInTheEnd() throws {
    let proxy = try FakeProxy(on: bus)
    proxy.orientation = .string("right-up")
    source.demand(.resting)
    try expect("the word") { log.words == [.rightUp] }
  }

  @Test func aNewOwnerIsClaimedAnew() throws {
    let first = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { first.isClaimed }
    first.end()
    try expect("the loss") { log.losses == ["\(Message.noProxy)"] }
    let second = try modernProxy()
    second.orientation = .string("bottom-up")
    try expect("the word of the next") { log.words == [.bottomUp] }
    #expect(log.finds == 2)
    #expect(log.losses.count == 1)
  }

  @Test func aForgottenClaimIsMadeAgainWhenToldToLook() throws {
    let proxy = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
    proxy.forgetClaims()
    source.lookAgain()
    try expect("the claim again") { proxy.isClaimed }
    proxy.forgetClaims()
    try expect("once more, in case the proxy was slower than udev") { proxy.isClaimed }
  }

  @Test func anAccelerometerThatGoesAndComes() throws {
    let proxy = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
    try proxy.tellPresence(false)
    try expect("the loss") { log.losses == ["\(Message.noAccelerometerOfProxy)"] }
    try proxy.tellPresence(true)
    try expect("the sensor again") { log.finds == 2 && proxy.isClaimed }
  }

  @Test func aRefusalIsToldOnceAndTriedAgain() throws {
    let proxy = try modernProxy()
    proxy.answer = .refused
    source.demand(.resting)
    try expect("the refusal") { log.losses.count == 1 }
    #expect(log.losses[0].contains("log in there"))
    source.lookAgain()
    try expect("another try") { proxy.claims >= 3 }
    #expect(log.losses.count == 1)
    proxy.answer = .done
    proxy.orientation = .string("left-up")
    source.lookAgain()
    try expect("the word") { log.words == [.leftUp] }
    #expect(log.events.suffix(2) == [.sensorFound(name: "iio-sensor-proxy"), .deviceTurned(.leftUp)])
  }

  @Test func aClaimWithoutAnAnswerIsInForceAllTheSame() throws {
    let proxy = try modernProxy()
    proxy.answer = .never
    source.demand(.resting)
    try expect("the claim") { proxy.claims == 1 }
    try proxy.say("right-up")
    try expect("the word") { log.words == [.rightUp] }
    #expect(log.losses == ["\(Message.noProxy)"] || log.losses.isEmpty)
  }

  @Test func `a claim granted after the demand has ended is released`() throws {
    let proxy = try modernProxy()
    proxy.answer = .never
    source.demand(.resting)
    try expect("the claim") { proxy.claims == 1 }
    source.demand(.off)
    try expect("the release") { proxy.releases == 1 }
    proxy.grantKeptClaims()
    try expect("another release") { proxy.releases == 2 }
    #expect(!proxy.isClaimed)
  }

  @Test func `a sensor that came without a signal is found on demand`() throws {
    let proxy = try modernProxy()
    proxy.hasAccelerometer = .bool(false)
    // At once, and twice more in case the proxy was slower.
    try expect("the last look") { proxy.reads == 3 }
    proxy.hasAccelerometer = .bool(true)
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
  }

  @Test func `the value before a new proxy grants the claim is stale`() throws {
    let first = try FakeProxy(on: bus)
    source.demand(.resting)
    try expect("the claim") { first.isClaimed }
    try bus.deliver()
    let second = try FakeProxy(on: bus, queues: true)
    second.answer = .never
    second.orientation = .string("left-up")
    first.end()
    try expect("the next claim") { second.claims == 1 }
    // The value of the first proxy was due before that.
    var isOver = false
    let timer = try bus.loop.timer { isOver = true }
    timer.arm(at: EventLoop.now + 1_000_000_000)
    try expect("the time of a reading") { isOver }
    try bus.deliver()
    #expect(log.words.isEmpty)
  }

  @Test(arguments: [("i", "s"), ("b", "d"), (nil, "s"), ("b", nil)] as [(String?, String?)])
  func garbageIsNamedAndSurvived(accelerometer: String?, orientation: String?) throws {
    let proxy = try FakeProxy(on: bus, types: (accelerometer, orientation), tilt: "face-sideways")
    if accelerometer == "i" { proxy.hasAccelerometer = .int32(7) }
    if orientation == "d" { proxy.orientation = .double(.infinity) }
    source.demand(.resting)
    try expect("the complaint") { log.losses.last?.contains("cannot be understood") == true }
    #expect(log.words.isEmpty)
    proxy.end()
    let good = try modernProxy()
    good.orientation = .string("normal")
    try expect("a good one") { log.words == [.normal] }
  }

  @Test func garbageInASignalIsSurvived() throws {
    let proxy = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
    for word in ["", "undefined", "sideways", "left-up"] { try proxy.say(word) }
    try expect("the word") { log.words == [.leftUp] }
  }

  @Test func ofFlappingOnlyTheFirstComesThrough() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("normal")
    source.demand(.resting)
    try expect("the first word") { log.words == [.normal] }
    // None of them lasts: all are there before the first is heard.
    for word in ["left-up", "normal", "left-up", "normal", "right-up"] { try proxy.say(word) }
    try bus.flush()
    try expect("the word that stands") { log.words.last == .rightUp }
    #expect(log.words == [.normal, .leftUp, .rightUp])
  }

  @Test func withoutABusTheNextStepIsSaid() throws {
    let lonely = SensorProxySource(loop: bus.loop, bus: .at(address: "unix:path=/nonexistent"))
    let events = Log()
    try lonely.start { event, _ in events.events.append(event) }
    try expect("the loss") { events.losses.count == 1 }
    #expect(events.losses[0].contains("start the system bus"))
  }

  @Test func theEndOfTheBusIsSurvived() throws {
    let first = try modernProxy()
    source.demand(.resting)
    try expect("the proxy") { log.finds == 1 && first.isClaimed }
    bus.kill()
    try expect("the loss") { log.losses.contains { $0.contains("has ended") } }
    try bus.restart()
    let proxy = try modernProxy()
    source.demand(.off)
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
  }

  /// On a machine's bus that is another of its users.
  @Test func aStrangerTurnsNothing() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("normal")
    source.demand(.resting)
    try expect("the word") { log.words == [.normal] }
    let stranger = try Stranger(on: bus)
    let target = BusTarget(
      service: "net.hadess.SensorProxy", path: "/net/hadess/SensorProxy", interface: "net.hadess.SensorProxy")
    try stranger.pretendOwner(":1.2", of: target.service)
    for values: [String: Value] in [
      ["AccelerometerOrientation": .string("left-up")], ["HasAccelerometer": .bool(false)],
    ] {
      try stranger.signalEverybody(
        target.properties, "PropertiesChanged",
        [.string(target.interface), .dictionary(values), .strings([])])
    }
    try stranger.pretendOwner("", of: target.service)
    try stranger.settle()
    try proxy.say("bottom-up")
    try expect("the true word") { log.words.last == .bottomUp }
    #expect(log.words == [.normal, .bottomUp])
    #expect(log.losses.isEmpty || log.losses == ["\(Message.noProxy)"])
    #expect(proxy.claims <= 3, "what it claims anew for another owner")
  }
}
