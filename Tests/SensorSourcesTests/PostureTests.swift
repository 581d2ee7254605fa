// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import SensorSources

private let isFoldable = access(MockAccelerometer("iio:device6").path(of: "in_angl0_raw"), F_OK) == 0

/// A bench with a hinge sensor, an accelerometer in the base, and input devices for folding.
@MainActor
@Suite(.serialized, .enabled(if: isFoldable, "needs mock switches and umockdev"))
struct PostureTests {
  /// `HingeReader` at times that the test chooses, in nanoseconds.
  @MainActor @Suite struct Hinge {
    private static let second: Int64 = 1_000_000_000
    private let hinge = MockAccelerometer("iio:device6")
    private let display: OpenAccelerometer
    private let upright = Acceleration(x: 0, y: -9.81, z: 0)

    init() throws {
      MockAccelerometer().set(0, -1024, 0)
      MockAccelerometer("iio:device1").set(0, 0, 1024)
      display = try OpenAccelerometer(.display, AccelerometerSettings())
      open(110)
    }

    private func open(_ degrees: Int) {
      for index in 0...2 { hinge.write("\(index == 0 ? degrees : 30)\n", to: "in_angl\(index)_raw") }
    }

    private func reader(_ watch: HingeWatch = .lidOpen) -> HingeReader {
      var reader = HingeReader(AccelerometerSettings())
      #expect(!reader.isWatching)
      let isNew = reader.apply(watch, beside: display)
      #expect(isNew)
      return reader
    }

    /// Reads five times, each as early as allowed.
    private func read(_ reader: inout HingeReader, from seconds: Int64) {
      for step in 0..<5 {
        reader.read(beside: upright, at: seconds * Self.second + Int64(step) * HingeReader.interval)
      }
    }

    @Test(arguments: [(110, Posture.laptop), (300, .tablet)])
    func `the hinge sensor gives the posture`(degrees: Int, posture: Posture) {
      open(degrees)
      var reader = reader()
      #expect(reader.isWatching && reader.reading == HingeReading(isCertain: false))
      read(&reader, from: 1)
      #expect(reader.reading.posture.isTablet == posture.isTablet && reader.reading.isCertain)
      #expect(reader.problems.isEmpty)
    }

    @Test func `it is read at most four times a second`() {
      var reader = reader()
      read(&reader, from: 1)
      reader.read(beside: upright, at: 10 * Self.second)
      open(300)
      reader.read(beside: upright, at: 10 * Self.second + HingeReader.interval / 2 - 1)
      #expect(reader.reading.posture == .laptop)
      reader.read(beside: upright, at: 10 * Self.second + HingeReader.interval / 2)
      #expect(reader.reading.posture == .tablet)
    }

    @Test func `a closed lid means laptop and reads nothing`() throws {
      open(300)
      var reader = reader(.lidClosed)
      #expect(reader.isWatching && reader.reading.posture == .laptop)
      let reads = try Reads(of: hinge.path(of: "in_angl0_raw"))
      read(&reader, from: 1)
      #expect(!reads.takeAny())
      let isNew = reader.apply(.lidOpen, beside: display)
      #expect(isNew)
      #expect(reader.reading.posture == .laptop, "it is not searched for again")
      read(&reader, from: 5)
      #expect(reader.reading.posture.isTablet && reads.takeAny())
      let isStillNew = reader.apply(.lidOpen, beside: display)
      #expect(!isStillNew)
    }

    @Test func `an unneeded hinge is closed`() {
      var reader = reader()
      read(&reader, from: 1)
      let isNew = reader.apply(.off, beside: display)
      #expect(isNew)
      #expect(!reader.isWatching && reader.reading == HingeReading(isCertain: false))
      let isStillNew = reader.apply(.off, beside: display)
      #expect(!isStillNew)
    }

    /// libiio refuses to list the devices while one of them is being removed.
    @Test func `a hinge is found while another device is removed`() throws {
      let half = "\(MockAccelerometer.root)/sys/bus/iio/devices/iio:device9"
      try #require(symlink("/nonexistent", half) == 0)
      defer { unlink(half) }
      #expect(throws: Message.self) { try IIOContext() }
      let reader = reader()
      #expect(reader.isWatching && reader.problems.isEmpty)
    }

    @Test func `without a display there is no hinge`() {
      var reader = HingeReader(AccelerometerSettings())
      let isNew = reader.apply(.lidOpen, beside: nil)
      #expect(isNew)
      #expect(!reader.isWatching)
      reader.open(beside: display)
      #expect(reader.isWatching)
    }

    @Test func `an opened lid is no proof of a laptop`() {
      var reader = HingeReader(AccelerometerSettings())
      _ = reader.apply(.lidClosed, beside: nil)
      #expect(reader.reading == HingeReading(.laptop))
      _ = reader.apply(.lidOpen, beside: nil)
      #expect(reader.reading == HingeReading(isCertain: false))
    }

    @Test func `after five failures the base is measured`() throws {
      var reader = reader()
      read(&reader, from: 1)
      try hinge.replacing("in_angl0_raw") {
        for step: Int64 in 1...4 { reader.read(beside: upright, at: (10 + step) * Self.second) }
        #expect(reader.problems.isEmpty && reader.reading.posture == .laptop)
        reader.read(beside: upright, at: 15 * Self.second)
        #expect(reader.problems.map(\.code) == [.postureUnknown])
        #expect(reader.isWatching && reader.reading == HingeReading(isCertain: false))
      }
      open(300)
      read(&reader, from: 20)
      #expect(reader.reading == HingeReading(.laptop), "the base lies flat, the display is upright")
      MockAccelerometer("iio:device1").set(0, 0, -1024)
      read(&reader, from: 30)
      #expect(reader.reading.posture.isTablet)
    }

    @Test func `failures with a success between are no loss`() throws {
      var reader = reader()
      for round: Int64 in 1...3 {
        try hinge.replacing("in_angl0_raw") {
          for step: Int64 in 1...4 { reader.read(beside: upright, at: (10 * round + step) * Self.second) }
        }
        reader.read(beside: upright, at: (10 * round + 5) * Self.second)
      }
      #expect(reader.problems.isEmpty)
    }

    @Test func `a hinge that has gone is reported`() throws {
      var reader = reader()
      try MockAccelerometer.change("hinge", "remove")
      defer { try? MockAccelerometer.change("hinge", "add") }
      reader.open(beside: try OpenAccelerometer(.display, AccelerometerSettings()))
      #expect(reader.problems.map(\.description).contains { $0.contains("hinge (iio:device6)") })
      #expect(reader.isWatching, "by the base")
      reader.open(beside: try OpenAccelerometer(.display, AccelerometerSettings()))
      #expect(reader.problems.isEmpty)
      read(&reader, from: 1)
      #expect(reader.reading == HingeReading(.laptop))
    }

    @Test func `the hinge is reported beside the samples`() throws {
      let fixture = try SourceFixture()
      let source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
      source.watchHinge(.lidOpen)
      try source.start(fixture.record)
      try fixture.await("laptop") { fixture.hinges.last == HingeReading(.laptop) }
      #expect(fixture.samples.isEmpty, "there is no other demand")
      let count = fixture.hinges.count
      open(300)
      try fixture.await("tablet") { fixture.hinges.last?.posture.isTablet == true }
      #expect(fixture.hinges.count <= count + 2, "only changes are reported")
      source.watchHinge(.lidClosed)
      try fixture.await("laptop") { fixture.hinges.last?.posture == .laptop }
      try fixture.await("no more reads") { fixture.loop.nextTimer == nil }
      source.watchHinge(.off)
      try fixture.await("nothing") { fixture.hinges.last == HingeReading(isCertain: false) }
      source.stop()
    }
  }
}
