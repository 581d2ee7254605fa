// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import SensorSources

/// Both sides are called in turn, on one thread.
@MainActor @Suite struct ReaderLinkTests {
  private let link: ReaderLink
  private static let sample = ReaderLink.Report.sample(
    MotionSample(Acceleration(x: 0, y: -9.81, z: 0)), Instant(nanoseconds: 1))

  init() throws {
    link = try ReaderLink()
  }

  /// Whether the reader sleeps until its time, for want of a request.
  private func sleeps() -> Bool {
    let moment = EventLoop.now + 2_000_000
    _ = link.wait(until: moment)
    return EventLoop.now >= moment
  }

  private var hasArrivals: Bool {
    var descriptor = pollfd(fd: link.arrivals, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  @Test func `a changed request wakes the reader once`() {
    link.update { $0.demand = .resting }
    #expect(link.wait(until: nil).request.demand == .resting)
    #expect(sleeps())
    link.update { $0.demand = .resting }
    #expect(sleeps(), "nothing has changed")
  }

  @Test func `a search is requested once`() {
    link.update { $0.searchesAgain = true }
    #expect(link.wait(until: nil).request.searchesAgain)
    #expect(!link.wait(until: 0).request.searchesAgain)
  }

  @Test func `data of the sensor wake the reader`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(!link.wait(until: 0, sensor: ends[0]).hasData)
    link.update { $0.demand = .resting }
    #expect(!link.wait(until: nil, sensor: ends[0]).hasData, "only the request has changed")
    #expect(write(ends[1], "x", 1) == 1)
    #expect(link.wait(until: nil, sensor: ends[0]).hasData)
    #expect(!link.wait(until: 0).hasData, "the sensor is polled")
  }

  @Test(
    arguments: [
      (nil, -1), (-5_000_000, 0), (5, 0), (10, 0), (11, 1), (1_000_010, 1), (1_000_011, 2), (.max / 2, .max),
    ] as [(Int64?, Int32)])
  func `a wait lasts whole milliseconds and never too short`(moment: Int64?, milliseconds: Int32) {
    #expect(ReaderLink.milliseconds(until: moment, now: 10) == milliseconds)
  }

  @Test func `reports arrive in order and once`() {
    #expect(!hasArrivals && link.takeReports().isEmpty)
    for report in [.found("a"), Self.sample, .isOnChange] { link.report(report) }
    #expect(hasArrivals)
    #expect(link.takeReports() == [.found("a"), Self.sample, .isOnChange])
    #expect(!hasArrivals && link.takeReports().isEmpty)
  }

  @Test func `only samples are dropped when nobody reads`() {
    for _ in 0..<300 { link.report(Self.sample) }
    link.report(.found("a"))
    let reports = link.takeReports()
    #expect(reports.count == 257 && reports.last == .found("a"))
  }

  @Test func `progress is noted until it is taken`() {
    #expect(!link.takeProgress())
    link.noteProgress()
    #expect(link.takeProgress())
    #expect(!link.takeProgress())
  }

  @Test func `the loop learns when the hinge is measured`() {
    link.setMeasuringHinge(false)
    #expect(!hasArrivals && !link.isMeasuringHinge)
    link.setMeasuringHinge(true)
    #expect(hasArrivals && link.isMeasuringHinge && link.takeReports().isEmpty)
    link.setMeasuringHinge(true)
    #expect(!hasArrivals, "nothing has changed")
  }

  @Test func `the awaited gyroscope has a name`() {
    #expect(link.awaitedGyroscope == nil)
    link.awaiting(gyroscope: "gyro_3d") {
      #expect(link.awaitedGyroscope == "gyro_3d")
    }
    #expect(link.awaitedGyroscope == nil)
  }

  @Test func `a reader that is to stop turns no buffer on`() {
    #expect(!link.isStopping && link.tryBeginStreaming())
    link.setStreaming(false)
    #expect(hasArrivals, "the loop may be waiting for that")
    link.update { $0.stops = true }
    #expect(link.isStopping && !link.tryBeginStreaming())
  }

  @Test func `the end waits for the buffer`() throws {
    #expect(link.tryBeginStreaming())
    link.report(.found("a"))
    try BackgroundThread.start { [link] in
      // Reports do not end the wait.
      while !link.takeReports().isEmpty {}
      link.setStreaming(false)
    }
    link.waitForEndOfStream()
    #expect(link.tryBeginStreaming())
  }

  @Test func `the end waits for nothing while no buffer is on`() {
    link.report(.found("a"))
    link.waitForEndOfStream()
    #expect(link.takeReports() == [.found("a")])
  }

  @Test func `a driver that hangs delays the end briefly`() {
    #expect(link.tryBeginStreaming())
    link.report(.found("a"))
    let begun = EventLoop.now
    link.waitForEndOfStream()
    #expect((700_000_000...EventLoop.limit).contains(EventLoop.now - begun))
  }
}
