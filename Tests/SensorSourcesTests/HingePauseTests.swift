// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import SensorSources

extension PostureTests {
  /// What is kept of the hinge while it is not measured, and when it is searched for again.
  @MainActor @Suite struct HingePause {
    private static let second: Int64 = 1_000_000_000
    private let hinge = MockAccelerometer("iio:device6")
    private let base = MockAccelerometer("iio:device1")
    private let display: OpenAccelerometer
    private let upright = Acceleration(x: 0, y: -9.81, z: 0)

    init() throws {
      MockAccelerometer().set(0, -1024, 0)
      base.set(0, 0, 1024)
      display = try OpenAccelerometer(.display, AccelerometerSettings())
      open(300)
    }

    /// With the devices that there are now.
    private func displayNow() throws -> OpenAccelerometer {
      try OpenAccelerometer(.display, AccelerometerSettings())
    }

    private func open(_ degrees: Int) {
      for index in 0...2 { hinge.write("\(index == 0 ? degrees : 30)\n", to: "in_angl\(index)_raw") }
    }

    /// A reader that has measured the hinge, after these changes of its watch.
    private func reader(_ watches: HingeWatch...) -> HingeReader {
      var reader = HingeReader(AccelerometerSettings())
      _ = reader.apply(.lidOpen, beside: display)
      read(&reader, from: 1)
      for watch in watches { _ = reader.apply(watch, beside: display) }
      return reader
    }

    /// Reads five times, each as early as allowed.
    private func read(_ reader: inout HingeReader, from seconds: Int64) {
      for step in 0..<5 {
        reader.read(beside: upright, at: seconds * Self.second + Int64(step) * HingeReader.interval)
      }
    }

    // MARK: Searches

    @Test func `a hinge that is searched for again keeps its posture`() throws {
      var reader = reader()
      reader.open(beside: try displayNow())
      #expect(reader.reading.posture.isTablet && reader.reading.isCertain, "by the same sensor")
      try MockAccelerometer.change("hinge", "remove")
      defer { try? MockAccelerometer.change("hinge", "add") }
      reader.open(beside: try displayNow())
      #expect(reader.isWatching && reader.reading == HingeReading(isCertain: false), "by the base")
    }

    @Test func `a hinge that vanishes is unknown until it is back`() throws {
      let fixture = try SourceFixture()
      let source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
      try base.with("in_accel_x_raw", nil) {
        source.watchHinge(.lidOpen)
        try source.start(fixture.record)
        try fixture.await("tablet") { fixture.hinges.last?.posture.isTablet == true }
        try MockAccelerometer.change("hinge", "remove")
        try fixture.await("unknown") { fixture.hinges.last?.posture == .unknown }
        try MockAccelerometer.change("hinge", "add")
        try fixture.await("laptop, at which it starts again") { fixture.hinges.last == HingeReading(.laptop) }
        source.stop()
      }
      #expect(
        fixture.notices.count == 1 && fixture.notices[0].contains("the hinge sensor hinge (iio:device6)"))
    }

    @Test func `the hinge is unknown while the display cannot be read`() throws {
      try expectUnknown(during: { try MockAccelerometer().replacing("in_accel_y_raw", while: $0) })
    }

    /// Silence takes two steps, longer than a read that is only slow. While rotation is locked, nothing is demanded.
    @Test(arguments: [SensorDemand.following, .off])
    func `the hinge is unknown while the display does not answer`(demand: SensorDemand) throws {
      try expectUnknown {
        $0.silenceStep = 3_000_000_000
        $0.demand(demand)
      } during: {
        try MockAccelerometer().hanging("in_accel_y_raw", while: $0)
      }
    }

    /// Folded; the hinge is unknown during the fault, and known again after it.
    private func expectUnknown(
      _ prepare: (IIOAccelerometer) -> Void = { _ in }, during fault: (() throws -> Void) throws -> Void
    ) throws {
      let fixture = try SourceFixture()
      let source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
      prepare(source)
      source.watchHinge(.lidOpen)
      try source.start(fixture.record)
      try fixture.await("tablet") { fixture.hinges.last?.posture.isTablet == true }
      try fault { try fixture.await("unknown") { fixture.hinges.last?.posture == .unknown } }
      try fixture.await("tablet again") { fixture.hinges.last?.posture.isTablet == true }
      #expect(fixture.losses.count == 1 && fixture.failure == nil)
      source.stop()
    }

    @Test(arguments: [("hinge", 1), ("", 0), ("hinge,hinge", 2)])
    func `a hinge sensor needs one angle with its label`(labels: String, count: Int) throws {
      let all = labels.split(separator: ",", omittingEmptySubsequences: false).map(String.init) + ["x", "x"]
      try hinge.with("in_angl0_label", all[0]) {
        try hinge.with("in_angl1_label", all[1]) {
          if count == 1 {
            let sensor = try HingeSensor(of: IIOContext())
            #expect(sensor?.title == "hinge (iio:device6)")
          } else {
            #expect(throws: Message.unlabelledHinge("hinge (iio:device6)", count: count)) {
              try HingeSensor(of: IIOContext())
            }
          }
        }
      }
    }

    @Test func `a hinge sensor is known by its label, too`() throws {
      try hinge.with("name", "other") {
        let sensor = try HingeSensor(of: IIOContext())
        #expect(sensor?.title == "other (iio:device6)")
      }
    }

    @Test func `doctor names what measures the hinge`() throws {
      let found = try AccelerometerInspection.inspect()
      #expect(found.title.hasSuffix("(iio:device0)") && found.base?.hasSuffix("(iio:device1)") == true)
      #expect(try found.hinge.get() == "hinge (iio:device6)")
      #expect(found.mount.problems.isEmpty && found.baseProblem == nil)
      #expect(found.alternatives.isEmpty && found.gyroscope == nil)
      try base.with("mount_matrix", "1, 0") {
        let inspection = try AccelerometerInspection.inspect()
        #expect(inspection.mount.problems.isEmpty && inspection.base == found.base)
        #expect(inspection.baseProblem?.next?.description.hasSuffix("autorotate calibrate --base") == true)
      }
      try hinge.with("in_angl0_label", "x") {
        #expect(throws: Message.self) { try AccelerometerInspection.inspect().hinge.get() }
      }
    }

    // MARK: Pauses

    @Test func `the posture before a pause lasts until the next reading`() throws {
      var reader = reader(.paused)
      let former = HingeReading(self.reader().reading.posture, isCertain: false)
      #expect(former.posture.isTablet && !reader.isWatching && reader.reading == former)
      reader.open(beside: try displayNow())
      #expect(!reader.isWatching && reader.reading == former)
      open(0)
      _ = reader.apply(.lidOpen, beside: display)
      read(&reader, from: 10)
      #expect(reader.isWatching && reader.reading == former, "no reading is usable")
      open(110)
      read(&reader, from: 20)
      #expect(reader.reading == HingeReading(.laptop))
    }

    @Test(arguments: [(HingeWatch.lidClosed, Posture.laptop), (.off, .unknown)])
    func `a pause ends without a reading`(watch: HingeWatch, posture: Posture) {
      #expect(reader(.paused, .lidOpen, .paused).reading.posture.isTablet)
      #expect(reader(.paused, .lidOpen, .paused, watch).reading.posture == posture)
      #expect(reader(.off, .lidOpen).reading.posture == .unknown)
    }

    @Test func `a posture before a pause is not used after a newer one`() throws {
      var reader = reader(.paused, .lidOpen)
      read(&reader, from: 10)
      #expect(reader.reading.posture.isTablet && reader.reading.isCertain)
      try MockAccelerometer.change("hinge", "remove")
      defer { try? MockAccelerometer.change("hinge", "add") }
      reader.open(beside: try displayNow())
      #expect(reader.reading.posture == .unknown)
    }

    @Test func `a display that is missing after a pause is awaited`() throws {
      var reader = reader(.paused)
      _ = reader.apply(.lidOpen, beside: nil)
      #expect(!reader.isWatching && reader.reading.posture.isTablet)
      reader.open(beside: display)
      #expect(reader.isWatching && reader.reading.posture.isTablet && !reader.reading.isCertain)
      try MockAccelerometer.change("hinge", "remove")
      defer { try? MockAccelerometer.change("hinge", "add") }
      try base.with("in_accel_x_raw", nil) { reader.open(beside: try displayNow()) }
      #expect(!reader.isWatching && reader.reading.posture == .unknown, "nothing measures it any more")
    }

    @Test(arguments: [(HingeWatch.paused, true), (.lidOpen, false)])
    func `a display lost after a pause leaves no posture`(watch: HingeWatch, isKept: Bool) {
      var reader = reader(.paused, watch)
      #expect(reader.reading.posture.isTablet)
      reader.forgetPosture()
      #expect(reader.reading.posture.isTablet == isKept)
    }

    @Test func `a hinge that is unreadable after a pause is unknown`() throws {
      var reader = reader(.paused, .lidOpen)
      #expect(reader.reading.posture.isTablet)
      try hinge.replacing("in_angl0_raw") {
        for step: Int64 in 1...4 { reader.read(beside: upright, at: (10 + step) * Self.second) }
        #expect(reader.reading.posture.isTablet)
        reader.read(beside: upright, at: 20 * Self.second)
      }
      #expect(reader.reading.posture == .unknown)
    }

    /// Rotation may be locked by then, so that nothing else needs the accelerometer.
    @Test func `a display that vanished in a pause is searched for after it`() throws {
      let fixture = try SourceFixture()
      let source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
      source.watchHinge(.lidOpen)
      try source.start(fixture.record)
      try fixture.await("tablet") { fixture.hinges.last?.posture.isTablet == true }
      source.watchHinge(.paused)
      try fixture.await("the pause") { fixture.hinges.last?.isCertain == false }
      let devices = "\(MockAccelerometer.root)/sys/bus/iio/devices"
      try #require(rename(devices, devices + ".aside") == 0)
      defer { rename(devices + ".aside", devices) }
      source.recheck()
      try fixture.await("the loss") { fixture.losses.count == 1 }
      #expect(fixture.hinges.last?.posture.isTablet == true)
      source.watchHinge(.lidOpen)
      try fixture.await("unknown") { fixture.hinges.last?.posture == .unknown }
      source.stop()
    }

    /// A report of the pause may arrive after its end: so it must be right then, too.
    @Test func `no report of a pause says that the posture is unknown`() throws {
      let fixture = try SourceFixture()
      let source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
      source.watchHinge(.lidOpen)
      try source.start(fixture.record)
      try fixture.await("tablet") {
        fixture.hinges.last?.posture.isTablet == true && fixture.hinges.last?.isCertain == true
      }
      let before = fixture.hinges.count
      source.watchHinge(.paused)
      try fixture.await("the pause") { fixture.hinges.last?.isCertain == false }
      source.recheck()
      source.watchHinge(.lidOpen)
      try fixture.await("the next reading") { fixture.hinges.last?.isCertain == true }
      let words = fixture.hinges.dropFirst(before)
      #expect(words.allSatisfy { $0.posture.isTablet }, "\(words)")
      source.stop()
    }
  }
}
