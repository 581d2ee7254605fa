// SPDX-License-Identifier: MIT

import Foundation
import SensorSources
import System
import Temporary
import Testing

@testable import Autorotation
@testable import autorotate

struct RecordTests {
  private static let up = Acceleration(x: 0.01, y: -9.80665, z: 0)

  @MainActor private final class SilentSource: SensorSource {
    private(set) var report: ((Event, Instant) -> Void)?

    func start(_ report: @escaping (Event, Instant) -> Void) throws { self.report = report }
    func demand(_ demand: SensorDemand) {}
    func stop() {}
  }

  @Test func `a trace has the written samples`() throws {
    let scratch = try TemporaryDirectory()
    let writer = try TraceWriter(path: scratch["a.csv"], force: false)
    try writer.begin(TraceHeader(machine: "Make Model", sensor: "accel_3d"))
    for number in 0..<5 {
      try writer.write(
        MotionSample(Self.up), at: Instant(nanoseconds: 70_000_000_000 + Int64(number) * 20_000_000))
    }
    let text = try scratch.text("a.csv")
    #expect(text.hasPrefix("# autorotate trace, version 1\n# machine: Make Model\n# sensor: accel_3d\n"))
    let rows = text.split(separator: "\n").drop { $0.hasPrefix("#") }
    #expect(
      rows.prefix(3) == ["seconds,x,y,z", "0.000000,0.0100,-9.8067,0.0000", "0.020000,0.0100,-9.8067,0.0000"])
    #expect(writer.samples == 5)
  }

  @Test func `gyroscope rates add three columns`() throws {
    let scratch = try TemporaryDirectory()
    let writer = try TraceWriter(path: scratch["a.csv"], force: false)
    try writer.begin(TraceHeader(machine: "Make Model", sensor: "accel_3d", gyroscope: "gyro_3d"))
    let rate = AngularRate(x: 0.1, y: -0.25, z: 3)
    try writer.write(MotionSample(Self.up, rate: rate), at: Instant(seconds: 1))
    try writer.write(MotionSample(Self.up), at: Instant(seconds: 1.02))
    let text = try scratch.text("a.csv")
    #expect(text.contains("# gx, gy, gz: rates of the gyroscope gyro_3d in rad/s"))
    let rows = text.split(separator: "\n").drop { $0.hasPrefix("#") }
    #expect(
      Array(rows) == [
        "seconds,x,y,z,gx,gy,gz", "0.000000,0.0100,-9.8067,0.0000,0.1000,-0.2500,3.0000",
        "0.020000,0.0100,-9.8067,0.0000,,,",
      ])
  }

  @Test func `an existing file is not overwritten`() throws {
    let scratch = try TemporaryDirectory()
    try scratch.write("precious", to: "a.csv")
    #expect(throws: Message.self) { try TraceWriter(path: scratch["a.csv"], force: false) }
    // Even with --force, until there is a sample to write.
    try TraceWriter(path: scratch["a.csv"], force: true).discard()
    #expect(try scratch.text("a.csv") == "precious")
    try TraceWriter(path: scratch["a.csv"], force: true).begin(TraceHeader(sensor: "s"))
    #expect(try !scratch.text("a.csv").contains("precious"))
  }

  @Test func `a recording that did not start leaves no file`() throws {
    let scratch = try TemporaryDirectory()
    try TraceWriter(path: scratch["a.csv"], force: false).discard()
    #expect(!FileManager.default.fileExists(atPath: scratch["a.csv"]))
  }

  @Test func `a full disk is reported`() throws {
    let writer = try TraceWriter(path: "/dev/full", force: true)
    let failure = #expect(throws: Message.self) { try writer.begin(TraceHeader(sensor: "s")) }
    #expect(failure?.description.contains("No space left") == true)
    #expect(failure?.description.contains("no sample was recorded") == true)
  }

  @Test func `header lines have no control characters`() throws {
    #expect(TraceHeader.plain("a\n# b\u{1B}[31m\tc  ", longest: 80) == "a # b [31m c")
    #expect(TraceHeader.plain(String(repeating: "x", count: 200), longest: 80).count == 80)
    let comments = TraceHeader(machine: "m", sensor: "s", rate: 25).comments
    #expect(comments.contains("rate: 25.0 Hz wanted") && comments.contains("mount matrix: unknown"))
  }

  @Test @MainActor func `the samples of a source are recorded`() throws {
    let scratch = try TemporaryDirectory()
    // The last line is never reached.
    let lines = (0..<10).map { "\((Double($0) / 100).text(decimals: 2)),0,-9.81,0" } + ["1000000,0,-9.81,0"]
    try scratch.write(lines.joined(separator: "\n"), to: "in.csv")
    let loop = try EventLoop()
    let source = ReplaySource(path: scratch["in.csv"], loop: loop) { Issue.record("\($0)") }
    let writer = try TraceWriter(path: scratch["out.csv"], force: false)
    let count = try Recorder(to: writer, from: source, on: loop).run(seconds: 0.3)
    #expect((1...10).contains(count), "\(count)")
    let rows = try scratch.text("out.csv").split(separator: "\n").filter { $0.hasSuffix("-9.8100,0.0000") }
    #expect(rows.count == count)
  }

  /// An empty file was left, and the next recording said that it exists.
  @Test @MainActor func `a recording without samples fails and leaves no file`() throws {
    let scratch = try TemporaryDirectory()
    let (loop, source) = (try EventLoop(), SilentSource())
    let writer = try TraceWriter(path: scratch["out.csv"], force: false)
    let end = try loop.timer(at: EventLoop.now) {
      source.report?(.sensorFound(name: "silent"), Instant(nanoseconds: 0))
      loop.exit()
    }
    let failure = #expect(throws: Message.self) {
      try Recorder(to: writer, from: source, on: loop).run(seconds: nil)
    }
    end.cancel()
    #expect(failure?.description.hasPrefix("no sample was recorded") == true)
    #expect(!FileManager.default.fileExists(atPath: scratch["out.csv"]))
  }

  @Test @MainActor func `a source that cannot start ends the recording`() throws {
    let scratch = try TemporaryDirectory()
    let loop = try EventLoop()
    let source = ReplaySource(path: scratch["none"], loop: loop) { _ in }
    let writer = try TraceWriter(path: scratch["out.csv"], force: false)
    let failure = #expect(throws: Message.self) {
      try Recorder(to: writer, from: source, on: loop).run(seconds: nil)
    }
    #expect(failure?.status == .notPossible)
    #expect(!FileManager.default.fileExists(atPath: scratch["out.csv"]))
  }
}
