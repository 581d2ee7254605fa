// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Testing

@testable import SensorSources

/// A source that does what a test says.
@MainActor private final class PuppetSource: FallibleSource {
  private(set) var failure: Message?
  private(set) var demand = SensorDemand.off
  private(set) var starts = 0
  private var report: ((Event, Instant) -> Void)?
  private var reportHinge: ((HingeWord) -> Void)?

  var isRunning: Bool { report != nil }
  /// Nobody else may use the sensor now.
  var isUsing: Bool { isRunning && demand != .off }

  func start(_ report: @escaping (Event, Instant) -> Void) { (self.report, starts) = (report, starts + 1) }
  func demand(_ demand: SensorDemand) { self.demand = demand }
  func stop() { report = nil }
  func watchHinge(_ watch: HingeWatch, _ report: @escaping (HingeWord) -> Void) { reportHinge = report }

  func say(_ event: Event) { report?(event, Instant(nanoseconds: 0)) }
  func sayHinge(_ word: HingeWord) { reportHinge?(word) }
  func find(_ name: String) {
    failure = nil
    say(.sensorFound(name: name))
  }
  func lose(_ failure: Message) {
    self.failure = failure
    say(.sensorLost(failure))
  }
}

@MainActor @Suite struct AutoSourceTests {
  private let fixture: SourceFixture
  private let accelerometer = PuppetSource()
  private let proxy = PuppetSource()
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
    accelerometer.lose(busy)
    proxy.find("iio-sensor-proxy")
  }

  @Test func anAccelerometerThatWorksIsAllThereIs() {
    accelerometer.find("accel")
    accelerometer.say(.acceleration(Acceleration(x: 0, y: -9.81, z: 0)))
    #expect(events == [.sensorFound(name: "accel"), .acceleration(Acceleration(x: 0, y: -9.81, z: 0))])
    #expect(!proxy.isRunning)
    #expect(fixture.notices.isEmpty)
  }

  @Test func aBusyOneGivesWayToTheProxy() {
    accelerometer.lose(busy)
    #expect(events.isEmpty)
    #expect(proxy.isRunning && !proxy.isUsing)
    proxy.find("iio-sensor-proxy")
    #expect(!accelerometer.isRunning && proxy.isUsing)
    proxy.say(.deviceTurned(.leftUp))
    #expect(events == [.sensorFound(name: "iio-sensor-proxy"), .deviceTurned(.leftUp)])
    #expect(fixture.notices.count == 1)
  }

  @Test func whenTheProxyGoesTheAccelerometerIsReadAgain() {
    useProxy()
    proxy.lose(.noProxy)
    #expect(accelerometer.isRunning && !proxy.isUsing)
    #expect(events.count == 1, "the accelerometer has not been asked yet")
    accelerometer.find("accel")
    #expect(events.last == .sensorFound(name: "accel"))
    #expect(!proxy.isRunning)
    #expect(fixture.notices.count == 2)
  }

  @Test func oneSentenceWhenNeitherWorks() {
    useProxy()
    proxy.lose(.noProxy)
    accelerometer.lose(busy)
    accelerometer.lose(busy)
    #expect(events.dropFirst() == [.sensorLost(busy)])
    #expect(accelerometer.isUsing && proxy.isUsing, "both look by themselves")
    proxy.find("iio-sensor-proxy")
    #expect(!accelerometer.isRunning && proxy.isUsing)
    #expect(events.last == .sensorFound(name: "iio-sensor-proxy"))
  }

  @Test func aTrialThatFailsIsNotTold() {
    useProxy()
    proxy.lose(.noProxy)
    proxy.find("iio-sensor-proxy")
    #expect(accelerometer.isUsing && !proxy.isUsing, "the claim may be what keeps the accelerometer busy")
    accelerometer.say(.acceleration(Acceleration(x: 0, y: 0, z: 0)))
    accelerometer.lose(busy)
    #expect(!accelerometer.isRunning && proxy.isUsing)
    #expect(events == [.sensorFound(name: "iio-sensor-proxy")])
    #expect(fixture.notices.count == 1)
  }

  @Test func anAccelerometerThatDoesNotSayIsNotWaitedForInVain() throws {
    useProxy()
    proxy.lose(.noProxy)
    proxy.find("iio-sensor-proxy")
    #expect(!proxy.isUsing)
    try fixture.await("the proxy again") { proxy.isUsing }
    #expect(!accelerometer.isRunning)
  }

  @Test func theDemandReachesWhoeverRuns() {
    useProxy()
    source.demand(.off)
    #expect(!proxy.isUsing)
    source.demand(.resting)
    #expect(proxy.isUsing)
  }

  @Test func `the accelerometer in use gets each demand`() {
    accelerometer.find("accel")
    source.demand(.resting)
    #expect(accelerometer.demand == .resting)
  }

  @Test func `only the accelerometer in use reports the hinge`() {
    var words: [HingeWord] = []
    source.watchHinge(.lidOpen) { words.append($0) }
    accelerometer.sayHinge(HingeWord(.laptop))
    #expect(words.isEmpty, "it is not known to work yet")
    accelerometer.find("accel")
    accelerometer.sayHinge(HingeWord(.tablet))
    #expect(words == [HingeWord(.tablet)])
  }

  @Test(arguments: [
    (Message.noAccelerometer, false), (.nonsense("x", in: "accel_x raw", of: "accel"), false),
    (.unreadable("accel", code: EBUSY), true), (.silentAccelerometer("accel", seconds: 10), true),
  ])
  func `a failure that udev reports the end of needs no retry`(_ failure: Message, _ passes: Bool) {
    #expect(failure.passesUnnoticed == passes)
  }

  @Test func stoppingStopsBoth() {
    useProxy()
    source.stop()
    #expect(!accelerometer.isRunning && !proxy.isRunning)
    #expect(throws: Never.self) { try source.start(fixture.record) }
    #expect(accelerometer.isRunning && !proxy.isRunning)
    #expect(accelerometer.starts == 2)
  }
}
