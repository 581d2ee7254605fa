// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import SensorSources

/// A source that a test controls.
@MainActor final class ControlledSource: SensorSource {
  private(set) var demand = SensorDemand.off
  private(set) var hinge = HingeWatch.off
  private(set) var starts = 0
  private(set) var rechecks = 0
  var startFailure: (any Error)?
  private var report: ((Event, Instant) -> Void)?

  var isRunning: Bool { report != nil }
  /// Whether the sensor is in use.
  var usesSensor: Bool { isRunning && demand != .off }

  func start(_ report: @escaping (Event, Instant) -> Void) throws {
    if let startFailure { throw startFailure }
    (self.report, starts) = (report, starts + 1)
  }
  func recheck() { rechecks += 1 }
  func demand(_ demand: SensorDemand) { self.demand = demand }
  func stop() { report = nil }
  func watchHinge(_ watch: HingeWatch) { hinge = watch }

  func send(_ event: Event) { report?(event, Instant(nanoseconds: 0)) }
  func sendHinge(_ word: HingeReading) { send(.hingeChanged(word)) }
  func reportFound(_ name: String) { send(.sensorFound(name: name)) }
  func reportLost(_ failure: Message) { send(.sensorLost(failure)) }
}

@MainActor @Suite struct AutoSourceTests {
  private let fixture: SourceFixture
  private let accelerometer = ControlledSource()
  private let proxy = ControlledSource()
  private let source: AutoSource
  private let busy = Message.unreadable("accel", code: EBUSY)

  init() throws {
    fixture = try SourceFixture()
    source = AutoSource(loop: fixture.loop, accelerometer: accelerometer, proxy: proxy, notice: fixture.note)
    source.demand(.following)
    try source.start(fixture.record)
  }

  private var events: [Event] { fixture.events.map(\.event) }

  private func useProxy() {
    accelerometer.reportLost(busy)
    proxy.reportFound("iio-sensor-proxy")
  }

  @Test func `an accelerometer that works is used alone`() {
    accelerometer.reportFound("accel")
    accelerometer.send(.acceleration(Acceleration(x: 0, y: -9.81, z: 0)))
    #expect(events == [.sensorFound(name: "accel"), .acceleration(Acceleration(x: 0, y: -9.81, z: 0))])
    #expect(!proxy.isRunning)
    #expect(fixture.notices.isEmpty)
  }

  @Test func `a busy accelerometer is replaced by the proxy`() {
    accelerometer.reportLost(busy)
    #expect(events.isEmpty)
    #expect(proxy.isRunning && !proxy.usesSensor)
    proxy.reportFound("iio-sensor-proxy")
    #expect(!accelerometer.isRunning && proxy.usesSensor)
    proxy.send(.deviceRotated(.leftUp))
    #expect(events == [.sensorFound(name: "iio-sensor-proxy"), .deviceRotated(.leftUp)])
    #expect(fixture.notices.count == 1)
  }

  @Test func `when the proxy stops the accelerometer is read again`() {
    useProxy()
    proxy.reportLost(.noProxy)
    #expect(accelerometer.isRunning && !proxy.usesSensor)
    #expect(events.count == 1, "the accelerometer has not reported yet")
    accelerometer.reportFound("accel")
    #expect(events.last == .sensorFound(name: "accel"))
    #expect(!proxy.isRunning)
    #expect(fixture.notices.count == 2)
  }

  @Test func `when neither works one failure is reported`() {
    useProxy()
    proxy.reportLost(.noProxy)
    accelerometer.reportLost(busy)
    accelerometer.reportLost(busy)
    #expect(events.dropFirst() == [.sensorLost(busy)])
    #expect(accelerometer.usesSensor && proxy.usesSensor, "both retry")
    proxy.reportFound("iio-sensor-proxy")
    #expect(!accelerometer.isRunning && proxy.usesSensor)
    #expect(events.last == .sensorFound(name: "iio-sensor-proxy"))
  }

  @Test func `a retry that fails is not reported`() {
    useProxy()
    proxy.reportLost(.noProxy)
    proxy.reportFound("iio-sensor-proxy")
    #expect(accelerometer.usesSensor && !proxy.usesSensor, "the claim may keep the accelerometer busy")
    accelerometer.send(.acceleration(Acceleration(x: 0, y: 0, z: 0)))
    accelerometer.reportLost(busy)
    #expect(!accelerometer.isRunning && proxy.usesSensor)
    #expect(events == [.sensorFound(name: "iio-sensor-proxy")])
    #expect(fixture.notices.count == 1)
  }

  @Test func `a retried accelerometer that does not report times out`() throws {
    useProxy()
    proxy.reportLost(.noProxy)
    proxy.reportFound("iio-sensor-proxy")
    #expect(!proxy.usesSensor)
    try fixture.await("the proxy again") { proxy.usesSensor }
    #expect(!accelerometer.isRunning)
  }

  @Test func `the demand reaches the running source`() {
    useProxy()
    source.demand(.off)
    #expect(!proxy.usesSensor)
    source.demand(.resting)
    #expect(proxy.usesSensor)
  }

  @Test func `the accelerometer in use gets each demand`() {
    accelerometer.reportFound("accel")
    source.demand(.resting)
    #expect(accelerometer.demand == .resting)
  }

  @Test func `only the accelerometer in use reports the hinge`() {
    source.watchHinge(.lidOpen)
    accelerometer.sendHinge(HingeReading(.laptop))
    #expect(fixture.hinges.isEmpty, "it is not known to work yet")
    accelerometer.reportFound("accel")
    accelerometer.sendHinge(HingeReading(.tablet))
    #expect(fixture.hinges == [HingeReading(.tablet)])
  }

  @Test(arguments: [
    (Message.noAccelerometer, false), (.invalidValue("x", in: "accel_x raw", of: "accel"), false),
    (.unreadable("accel", code: EBUSY), true), (.silentAccelerometer("accel", seconds: 10), true),
  ])
  func `a failure whose end udev reports is not retried`(_ failure: Message, _ needsPolling: Bool) {
    #expect(failure.needsPolling == needsPolling)
  }

  @Test func `stop stops both sources`() {
    useProxy()
    source.stop()
    #expect(!accelerometer.isRunning && !proxy.isRunning)
    #expect(throws: Never.self) { try source.start(fixture.record) }
    #expect(accelerometer.isRunning && !proxy.isRunning)
    #expect(accelerometer.starts == 2)
  }

  @Test func `a source that starts again chooses again`() throws {
    useProxy()
    source.stop()
    try source.start(fixture.record)
    let count = events.count
    accelerometer.reportLost(busy)
    #expect(events.count == count && accelerometer.isRunning && proxy.isRunning && !proxy.usesSensor)
  }

  @Test func `each start reports its sensor`() throws {
    accelerometer.reportFound("accel")
    source.stop()
    try source.start(fixture.record)
    accelerometer.reportFound("accel")
    #expect(events == [.sensorFound(name: "accel"), .sensorFound(name: "accel")])
  }

  @Test func `an accelerometer that is used again measures the hinge`() {
    useProxy()
    source.watchHinge(.lidOpen)
    #expect(accelerometer.hinge == .off)
    proxy.reportLost(.noProxy)
    accelerometer.reportFound("accel")
    accelerometer.sendHinge(HingeReading(.tablet))
    #expect(accelerometer.hinge == .lidOpen && fixture.hinges == [HingeReading(.tablet)])
  }

  /// Nanoseconds until the source acts on its own; `nil` for never.
  private func nextTimer() throws -> Int64? {
    try fixture.loop.runPending()
    return fixture.loop.nextTimer
  }

  @Test func `a busy accelerometer is retried after a minute`() throws {
    #expect(try nextTimer() == nil)
    useProxy()
    let minute: ClosedRange<Int64> = 4_000_000_000...61_000_000_000
    #expect(try nextTimer().map(minute.contains) == true)
    source.demand(.off)
    #expect(try nextTimer() == nil, "nothing is read")
    source.demand(.resting)
    #expect(try nextTimer().map(minute.contains) == true)
    source.stop()
    #expect(try nextTimer() == nil)
  }

  @Test func `a missing accelerometer is not retried`() throws {
    accelerometer.reportLost(.noAccelerometer)
    proxy.reportFound("iio-sensor-proxy")
    #expect(try nextTimer() == nil)
  }

  @Test func `retries become rarer until one succeeds`() throws {
    source.retryInterval = .milliseconds(1)
    useProxy()
    try fixture.await("a retry") { accelerometer.starts == 2 }
    #expect(source.retryInterval == .milliseconds(2) && !proxy.usesSensor)
    source.retryInterval = .milliseconds(1)
    accelerometer.reportLost(busy)
    source.retryInterval = .seconds(3000)
    try fixture.await("another retry") { accelerometer.starts == 3 }
    #expect(source.retryInterval == .seconds(3600))
    accelerometer.reportFound("accel")
    #expect(source.retryInterval == .seconds(60))
    #expect(try nextTimer() == nil)
  }

  @Test func `a stopped source forgets its retry`() throws {
    useProxy()
    proxy.reportLost(.noProxy)
    proxy.reportFound("iio-sensor-proxy")
    #expect(try nextTimer() != nil && !proxy.usesSensor, "the retry takes a few seconds")
    source.stop()
    try source.start(fixture.record)
    source.demand(.resting)
    #expect(try nextTimer() == nil)
    let count = events.count
    accelerometer.reportFound("accel")
    #expect(events.count == count + 1)
  }

  @Test func `a check reaches only what runs`() {
    source.recheck()
    #expect(accelerometer.rechecks == 1 && proxy.rechecks == 0)
    useProxy()
    source.recheck()
    #expect(accelerometer.rechecks == 1 && proxy.rechecks == 1)
    source.stop()
    source.recheck()
    #expect(accelerometer.rechecks == 1 && proxy.rechecks == 1)
  }

  @Test(arguments: [HingeWatch.off, .paused, .lidOpen])
  func `the hinge is unknown without the accelerometer`(watch: HingeWatch) {
    source.watchHinge(watch)
    useProxy()
    #expect(fixture.hinges == (watch == .off ? [] : [HingeReading()]))
  }

  @Test func `a proxy that cannot start is a failure`() {
    proxy.startFailure = SystemError(call: "timer", code: EMFILE)
    accelerometer.reportLost(busy)
    #expect(events == [.sensorLost(busy)])
    #expect(accelerometer.isRunning && !proxy.isRunning)
    proxy.startFailure = nil
    accelerometer.reportFound("accel")
    accelerometer.reportLost(busy)
    #expect(proxy.isRunning)
  }

  @Test func `an accelerometer that cannot start is noted`() throws {
    accelerometer.startFailure = SystemError(call: "eventfd", code: EMFILE)
    source.retryInterval = .milliseconds(1)
    useProxy()
    try fixture.await("the note") { fixture.notices.count == 2 }
    #expect(fixture.notices[1].contains("cannot be read"))
    #expect(accelerometer.starts == 1)
  }
}
