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
  let bus: PrivateBus
  let source: SensorProxySource
  let log = Log()

  /// The reports of a source.
  @MainActor final class Log {
    var events: [Event] = []

    var orientations: [DeviceOrientation] {
      events.compactMap { if case .deviceRotated(let orientation) = $0 { orientation } else { nil } }
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

  func expect(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, _ condition: () -> Bool
  ) throws {
    try bus.loop.wait(for: what, file: file, line: line, until: condition)
  }

  func modernProxy() throws -> FakeProxy {
    try FakeProxy(on: bus, tilt: "vertical")
  }

  @Test func `a proxy that starts later is found`() throws {
    try expect("absence") { log.losses == ["\(Message.noProxy)"] }
    let proxy = try modernProxy()
    try expect("the proxy") { log.finds == 1 }
    #expect(!proxy.isClaimed)
    #expect(proxy.claims == 0, "nothing is claimed without a demand")
  }

  @Test func `a demand claims the proxy and its end releases it`() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("left-up")
    source.demand(.resting)
    try expect("an orientation") { log.orientations == [.leftUp] }
    #expect(proxy.isClaimed)
    source.demand(.following)
    source.demand(.off)
    try expect("the release") { !proxy.isClaimed }
    try proxy.send("normal")
    source.demand(.resting)
    try expect("another orientation") { log.orientations == [.leftUp, .normal] }
    try expect("the second claim") { proxy.claims >= 2 }
  }

  @Test func `a stale orientation is not used`() throws {
    let proxy = try FakeProxy(on: bus)
    proxy.orientation = .string("left-up")
    // The first valid orientation follows the reply to the claim.
    proxy.afterClaim = { try? proxy.send("bottom-up") }
    source.demand(.resting)
    try expect("the first valid orientation") { !log.orientations.isEmpty }
    #expect(log.orientations == [.bottomUp])
  }

  @Test func `an orientation that lasts is used`() throws {
    let proxy = try FakeProxy(on: bus)
    proxy.orientation = .string("right-up")
    source.demand(.resting)
    try expect("the orientation") { log.orientations == [.rightUp] }
  }

  @Test func `a restarted proxy is claimed again`() throws {
    let first = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { first.isClaimed }
    first.end()
    try expect("the loss") { log.losses == ["\(Message.noProxy)"] }
    let second = try modernProxy()
    second.orientation = .string("bottom-up")
    try expect("the orientation of the next") { log.orientations == [.bottomUp] }
    #expect(log.finds == 2)
    #expect(log.losses.count == 1)
  }

  @Test func `a dropped claim is made again on a check`() throws {
    let proxy = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
    proxy.dropClaims()
    source.recheck()
    try expect("the claim again") { proxy.isClaimed }
    proxy.dropClaims()
    try expect("once more, in case the proxy was slower than udev") { proxy.isClaimed }
  }

  @Test func `an accelerometer may be removed and added again`() throws {
    let proxy = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
    try proxy.sendPresence(false)
    try expect("the loss") { log.losses == ["\(Message.noAccelerometerOfProxy)"] }
    try proxy.sendPresence(true)
    try expect("the sensor again") { log.finds == 2 && proxy.isClaimed }
  }

  @Test func `a refusal is reported once and retried`() throws {
    let proxy = try modernProxy()
    proxy.answer = .refused
    source.demand(.resting)
    try expect("the refusal") { log.losses.count == 1 }
    #expect(log.losses[0].contains("log in there"))
    source.recheck()
    try expect("another try") { proxy.claims >= 3 }
    #expect(log.losses.count == 1)
    proxy.answer = .done
    proxy.orientation = .string("left-up")
    source.recheck()
    try expect("the orientation") { log.orientations == [.leftUp] }
    #expect(log.events.suffix(2) == [.sensorFound(name: "iio-sensor-proxy"), .deviceRotated(.leftUp)])
  }

  @Test func `a claim without a reply is still valid`() throws {
    let proxy = try modernProxy()
    proxy.answer = .never
    source.demand(.resting)
    try expect("the claim") { proxy.claims == 1 }
    try proxy.send("right-up")
    try expect("the orientation") { log.orientations == [.rightUp] }
    #expect(log.losses == ["\(Message.noProxy)"] || log.losses.isEmpty)
  }

  @Test func `a claim granted after the demand has ended is released`() throws {
    let proxy = try modernProxy()
    proxy.answer = .never
    source.demand(.resting)
    try expect("the claim") { proxy.claims == 1 }
    source.demand(.off)
    try expect("the release") { proxy.releases == 1 }
    proxy.grantPendingClaims()
    try expect("another release") { proxy.releases == 2 }
    #expect(!proxy.isClaimed)
  }

  @Test func `a sensor without signal is found on demand`() throws {
    let proxy = try modernProxy()
    proxy.hasAccelerometer = .bool(false)
    // At once, and twice more in case the proxy was slower.
    try expect("the last check") { proxy.reads == 3 }
    proxy.hasAccelerometer = .bool(true)
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
  }

  @Test func `the value before a new proxy's claim is stale`() throws {
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
    #expect(log.orientations.isEmpty)
  }

  @Test(arguments: [("i", "s"), ("b", "d"), (nil, "s"), ("b", nil)] as [(String?, String?)])
  func `invalid properties are reported and do no harm`(accelerometer: String?, orientation: String?) throws {
    let proxy = try FakeProxy(on: bus, types: (accelerometer, orientation), tilt: "face-sideways")
    if accelerometer == "i" { proxy.hasAccelerometer = .int32(7) }
    if orientation == "d" { proxy.orientation = .double(.infinity) }
    source.demand(.resting)
    try expect("the report") { log.losses.last?.contains("sent an invalid answer") == true }
    #expect(log.orientations.isEmpty)
    proxy.end()
    let good = try modernProxy()
    good.orientation = .string("normal")
    try expect("a good one") { log.orientations == [.normal] }
  }

  @Test func `a signal with invalid values is ignored`() throws {
    let proxy = try modernProxy()
    source.demand(.resting)
    try expect("the claim") { proxy.isClaimed }
    for text in ["", "undefined", "sideways", "left-up"] { try proxy.send(text) }
    try expect("the orientation") { log.orientations == [.leftUp] }
  }

  @Test func `of flapping only the first flip is used`() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("normal")
    source.demand(.resting)
    try expect("the first orientation") { log.orientations == [.normal] }
    // None of them lasts: all arrive before the first is processed.
    for text in ["left-up", "normal", "left-up", "normal", "right-up"] { try proxy.send(text) }
    try bus.flush()
    try expect("the last orientation") { log.orientations.last == .rightUp }
    #expect(log.orientations == [.normal, .leftUp, .rightUp])
  }

  @Test func `without a bus the next step is shown`() throws {
    let lonely = SensorProxySource(loop: bus.loop, bus: .at(address: "unix:path=/nonexistent"))
    let events = Log()
    try lonely.start { event, _ in events.events.append(event) }
    try expect("the loss") { events.losses.count == 1 }
    #expect(events.losses[0].contains("start the system bus"))
  }

  @Test func `the bus may end and restart`() throws {
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

  /// Such as another user on the system bus.
  @Test func `signals of a stranger are ignored`() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("normal")
    source.demand(.resting)
    try expect("the orientation") { log.orientations == [.normal] }
    let stranger = try Stranger(on: bus)
    let target = BusTarget(
      service: "net.hadess.SensorProxy", path: "/net/hadess/SensorProxy", interface: "net.hadess.SensorProxy")
    try stranger.spoofOwner(":1.2", of: target.service)
    for values: [String: Value] in [
      ["AccelerometerOrientation": .string("left-up")], ["HasAccelerometer": .bool(false)],
    ] {
      try stranger.signalAll(
        target.properties, "PropertiesChanged",
        [.string(target.interface), .dictionary(values), .strings([])])
    }
    try stranger.spoofOwner("", of: target.service)
    try stranger.settle()
    try proxy.send("bottom-up")
    try expect("the valid orientation") { log.orientations.last == .bottomUp }
    #expect(log.orientations == [.normal, .bottomUp])
    #expect(log.losses.isEmpty || log.losses == ["\(Message.noProxy)"])
    #expect(proxy.claims <= 3, "a new owner is claimed again")
  }

  @Test func `the reason of a failure stays until it works`() throws {
    try expect("absence") { log.losses.count == 1 }
    #expect(source.failure == .noProxy)
    let proxy = try modernProxy()
    try expect("the proxy") { log.finds == 1 }
    #expect(source.failure == nil && proxy.claims == 0)
  }

  @Test func `the earlier of two timers counts`() throws {
    let proxy = try modernProxy()
    proxy.orientation = .string("normal")
    source.demand(.resting)
    try expect("the first orientation") { log.orientations == [.normal] }
    for text in ["left-up", "normal", "left-up", "normal"] { try proxy.send(text) }
    try bus.flush()
    source.recheck()
    try bus.loop.runPending()
    #expect(bus.loop.nextTimer.map { $0 <= 600_000_000 } == true)
    source.stop()
    try bus.deliver()
    #expect(bus.loop.nextTimer == nil)
  }
}
