// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing

@testable import SensorSources

/// The gyroscope of the mock, in the accelerometer's device or in one of its own.
struct MockGyroscope {
  static let directory: String? = {
    guard let root = getenv("UMOCKDEV_DIR").map({ String(cString: $0) }) else { return nil }
    let places = [0, 5].map { "\(root)/sys/devices/platform/bench-sensor-hub/iio:device\($0)" }
    return places.first { access("\($0)/in_anglvel_x_raw", F_OK) == 0 }
  }()

  let directory: String

  init() throws {
    directory = try #require(Self.directory)
  }

  /// - Parameter text: in place of the register's number.
  func write(_ text: String, axis: Character) throws {
    let descriptor = open("\(directory)/in_anglvel_\(axis)_raw", O_WRONLY | O_TRUNC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    _ = Glibc.write(descriptor, text, text.utf8.count)
  }

  /// The y axis gives EIO while `body` runs.
  func failing(_ body: () -> Void) throws {
    let path = "\(directory)/in_anglvel_y_raw"
    try #require(rename(path, path + ".aside") == 0 && symlink("/proc/self/mem", path) == 0)
    defer {
      unlink(path)
      rename(path + ".aside", path)
    }
    body()
  }

  /// In thousandths of rad/s, about its own axes.
  func rotate(_ x: Int, _ y: Int, _ z: Int) throws {
    for (axis, rate) in zip("xyz", [x, y, z]) { try write("\(rate - 7)\n", axis: axis) }
  }
}

/// Counts reads of a file by any process.
final class Reads {
  private let descriptor: Int32

  init(of path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK))
    try #require(inotify_add_watch(descriptor, path, UInt32(IN_ACCESS | IN_OPEN)) >= 0)
  }

  deinit {
    close(descriptor)
  }

  /// Whether there were any since the last call.
  func takeAny() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var hasAny = false
    while read(descriptor, &bytes, bytes.count) > 0 { hasAny = true }
    return hasAny
  }
}

@MainActor
@Suite(.serialized, .enabled(if: MockGyroscope.directory != nil, "needs a mock gyroscope and umockdev"))
struct IIOGyroscopeTests {
  let mock: MockGyroscope
  private let fixture: SourceFixture

  init() throws {
    mock = try MockGyroscope()
    fixture = try SourceFixture()
    try mock.rotate(0, 0, 0)
  }

  /// The device of the gyroscope.
  var device: MockAccelerometer {
    MockAccelerometer(mock.directory.hasSuffix("5") ? "iio:device5" : "iio:device0")
  }

  private func start(_ mountMatrix: String? = nil, usesGyroscope: Bool = true) throws -> IIOAccelerometer {
    var settings = AccelerometerSettings()
    settings.mountMatrix = mountMatrix.flatMap(MountMatrix.init(text:))
    settings.usesGyroscope = usesGyroscope
    let source = IIOAccelerometer(loop: fixture.loop, settings, notice: fixture.note)
    try source.start(fixture.record)
    try fixture.await("the sensor") { !fixture.finds.isEmpty }
    return source
  }

  private func awaitRate(_ x: Double, _ y: Double, _ z: Double) throws {
    try fixture.await("the rate \(x) \(y) \(z)") {
      guard let rate = fixture.rates.last else { return false }
      return abs(rate.x - x) + abs(rate.y - y) + abs(rate.z - z) < 1e-6
    }
  }

  @Test func `samples contain the angular rates`() throws {
    let source = try start()
    source.demand(.following)
    try mock.rotate(1000, -2000, 500)
    try awaitRate(1, -2, 0.5)
    source.stop()
    #expect(fixture.notices == [])
  }

  @Test func `rates are in the frame of the panel`() throws {
    let source = try start("0, -1, 0; 1, 0, 0; 0, 0, 1")
    source.demand(.following)
    try mock.rotate(1000, -2000, 500)
    try awaitRate(2, 1, 0.5)
    source.stop()
  }

  @Test func `a mirrored matrix reverses the rates`() throws {
    let source = try start("-1, 0, 0; 0, 1, 0; 0, 0, 1")
    source.demand(.following)
    try mock.rotate(1000, -2000, 500)
    try awaitRate(1, 2, -0.5)
    source.stop()
  }

  @Test func `the gyroscope is read only while the device may rotate`() throws {
    let source = try start()
    let reads = try Reads(of: "\(mock.directory)/in_anglvel_x_raw")
    source.demand(.resting)
    let count = fixture.samples.count
    try fixture.await("samples at rest") { fixture.samples.count >= count + 3 }
    #expect(!reads.takeAny() && fixture.rates.isEmpty)
    source.demand(.following)
    try fixture.await("rates") { fixture.rates.count >= 3 }
    #expect(reads.takeAny())
    source.demand(.resting)
    let before = fixture.samples.count
    try fixture.await("samples at rest") { fixture.samples.count >= before + 2 }
    _ = reads.takeAny()
    try fixture.await("samples at rest") { fixture.samples.count >= before + 4 }
    #expect(!reads.takeAny())
    source.stop()
  }

  @Test func `a source without gyroscope does not read it`() throws {
    let reads = try Reads(of: "\(mock.directory)/in_anglvel_x_raw")
    let source = try start(usesGyroscope: false)
    source.demand(.following)
    try fixture.await("samples") { fixture.samples.count >= 4 }
    source.stop()
    #expect(!reads.takeAny() && fixture.rates.isEmpty)
  }

  @Test(arguments: [("nan\n", "anglvel_y raw"), ("what?\n", "anglvel_y raw"), ("", "Input/output error")])
  func `an invalid rate is reported once and then ignored`(_ text: String, _ reason: String) throws {
    let source = try start()
    source.demand(.following)
    try fixture.await("rates") { !fixture.rates.isEmpty }
    try mock.write(text, axis: "y")
    try fixture.await("a notice") { !fixture.notices.isEmpty }
    let (rates, samples) = (fixture.rates.count, fixture.samples.count)
    try fixture.await("accelerations") { fixture.samples.count >= samples + 5 }
    try mock.rotate(0, 0, 0)
    try fixture.await("accelerations") { fixture.samples.count >= samples + 10 }
    #expect(fixture.notices.count == 1 && fixture.notices.first?.contains(reason) == true)
    #expect(fixture.rates.count == rates && fixture.losses.isEmpty)
    source.recheck()
    try fixture.await("rates again") { fixture.rates.count > rates }
    source.stop()
    #expect(fixture.notices.count == 1)
  }

  @Test func `a failing gyroscope is reported once and then ignored`() throws {
    let path = "\(mock.directory)/in_anglvel_y_raw"
    try #require(rename(path, path + ".aside") == 0)
    defer { rename(path + ".aside", path) }
    try #require(symlink("/proc/self/mem", path) == 0)
    let source = try start()
    source.demand(.following)
    try fixture.await("accelerations") { fixture.samples.count >= 15 }
    source.stop()
    unlink(path)
    #expect(fixture.notices.count == 1)
    #expect(fixture.notices.first?.contains("cannot be read (Input/output error)") == true)
    #expect(fixture.rates.isEmpty && fixture.losses.isEmpty)
  }

  @Test func `a removed gyroscope is not a fault`() throws {
    let path = "\(mock.directory)/in_anglvel_y_raw"
    let source = try start()
    source.demand(.following)
    try fixture.await("rates") { !fixture.rates.isEmpty }
    source.demand(.resting)
    try #require(rename(path, path + ".aside") == 0)
    defer { rename(path + ".aside", path) }
    let (rates, samples) = (fixture.rates.count, fixture.samples.count)
    try fixture.await("accelerations at rest") { fixture.samples.count >= samples + 2 }
    source.demand(.following)
    try fixture.await("accelerations") { fixture.samples.count >= samples + 10 }
    source.stop()
    #expect(fixture.rates.count == rates && fixture.notices.isEmpty && fixture.losses.isEmpty)
  }

  @Test(
    arguments: [(nil, [-1, 2, 0.5]), ("0, -1, 0; 1, 0, 0; 0, 0, 1", [2, 1, 0.5])] as [(String?, [Double])])
  func `the matrix of the settings overrides the gyroscope's own`(matrix: String?, rates: [Double]) throws {
    try device.with("in_anglvel_mount_matrix", "-1, 0, 0; 0, -1, 0; 0, 0, 1") {
      let source = try start(matrix)
      source.demand(.following)
      try mock.rotate(1000, -2000, 500)
      try awaitRate(rates[0], rates[1], rates[2])
      source.stop()
    }
  }

  @Test func `doctor names the gyroscope`() throws {
    let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
    #expect(try AccelerometerInspection.inspect().gyroscope == sensor.gyroscope()?.title)
  }

  @Test func `rates of the buffer belong to its samples`() throws {
    let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
    let gyroscope = try #require(try sensor.gyroscope())
    let axes = ["x", "y", "z"]
    let accelerometer = MockAccelerometer()
    let hasBoth = gyroscope.isOfAccelerometer
    let channels = (["accel"] + (hasBoth ? ["anglvel"] : [])).flatMap { kind in axes.map { "\(kind)_\($0)" } }
    let buffer = try MockBuffer(of: accelerometer, channels)
    var reading = SampleReader(rate: 50)
    reading.startStream(sensor, gyroscope, at: 0)
    let enabled = axes.map { accelerometer.text("scan_elements/in_anglvel_\($0)_en") }
    #expect(enabled == axes.map { _ in hasBoth ? "1" : nil })
    buffer.deliver([0, -1024, 0] + (hasBoth ? [993, -2007, 493] : []))
    let sample = try reading.read(sensor, gyroscope, at: 0)?.0
    #expect(sample.map { $0.acceleration.y < -9 } == true)
    #expect(
      (sample?.rate).map { abs($0.x - 1) + abs($0.y + 2) + abs($0.z - 0.5) < 1e-6 } == (hasBoth ? true : nil))
  }

  private func startQuickly() throws -> IIOAccelerometer {
    let source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
    source.silenceStep = 500_000_000
    source.demand(.following)
    try source.start(fixture.record)
    return source
  }

  private func expectOnlyAccelerations() throws {
    try fixture.await("the notice") { !fixture.notices.isEmpty }
    let (rates, samples) = (fixture.rates.count, fixture.samples.count)
    try fixture.await("accelerations") { fixture.samples.count >= samples + 5 }
    #expect(fixture.notices.count == 1 && fixture.notices.first?.contains("too slow to read") == true)
    #expect(fixture.rates.count == rates && fixture.losses.isEmpty)
  }

  @Test func `a gyroscope that hangs is left out until sensors change`() throws {
    let source = try startQuickly()
    try fixture.await("rates") { !fixture.rates.isEmpty }
    try MockAccelerometer.hanging("\(mock.directory)/in_anglvel_y_raw") { try expectOnlyAccelerations() }
    let count = fixture.rates.count
    try MockAccelerometer.change("remove")
    try MockAccelerometer.change("add")
    try fixture.await("rates again") { fixture.rates.count > count }
    source.stop()
  }

  @Test func `a gyroscope that hangs during the search is reported`() throws {
    // libiio itself reads the scale when it lists the devices.
    try device.leasing("in_anglvel_offset") {
      let source = try startQuickly()
      try fixture.await("the notice") { !fixture.notices.isEmpty }
      source.stop()
    }
  }
}
