// SPDX-License-Identifier: MIT

import Foundation
import SensorSources
import System
import Testing

@testable import Autorotation
@testable import autorotate

/// A directory that goes with the test.
final class Scratch {
  let directory = FileManager.default.temporaryDirectory.appending(path: "autorotate-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  func path(_ name: String) -> String { directory.appending(path: name).path() }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}

struct RecordTests {
  private static let up = Acceleration(x: 0.01, y: -9.80665, z: 0)

  @Test func traceReadsAsItWasWritten() throws {
    let scratch = try Scratch()
    let writer = try TraceWriter(path: scratch.path("a.csv"), force: false)
    try writer.begin(TraceHeader(machine: "Make Model", sensor: "accel_3d"))
    for number in 0..<5 {
      try writer.write(Self.up, at: Instant(nanoseconds: 70_000_000_000 + Int64(number) * 20_000_000))
    }
    let text = try scratch.text("a.csv")
    #expect(text.hasPrefix("# autorotate trace, version 1\n# machine: Make Model\n# sensor: accel_3d\n"))
    let rows = text.split(separator: "\n").drop { $0.hasPrefix("#") }
    #expect(
      rows.prefix(3) == ["seconds,x,y,z", "0.000000,0.0100,-9.8067,0.0000", "0.020000,0.0100,-9.8067,0.0000"])
    #expect(writer.samples == 5)
  }

  @Test func fileThatExistsStays() throws {
    let scratch = try Scratch()
    try "precious".write(toFile: scratch.path("a.csv"), atomically: true, encoding: .utf8)
    #expect(throws: Message.self) { try TraceWriter(path: scratch.path("a.csv"), force: false) }
    // Even with --force, until there is something to put in its place.
    try TraceWriter(path: scratch.path("a.csv"), force: true).discard()
    #expect(try scratch.text("a.csv") == "precious")
    try TraceWriter(path: scratch.path("a.csv"), force: true).begin(TraceHeader(sensor: "s"))
    #expect(try !scratch.text("a.csv").contains("precious"))
  }

  @Test func recordingThatDidNotBeginLeavesNoFile() throws {
    let scratch = try Scratch()
    try TraceWriter(path: scratch.path("a.csv"), force: false).discard()
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.csv")))
  }

  @Test func fullDiskIsTold() throws {
    let writer = try TraceWriter(path: "/dev/full", force: true)
    let failure = #expect(throws: Message.self) { try writer.begin(TraceHeader(sensor: "s")) }
    #expect(failure?.description.contains("No space left") == true)
    #expect(failure?.description.contains("no sample was recorded") == true)
  }

  @Test func headerIsOnOneLineEachWhateverDriversSay() throws {
    #expect(TraceHeader.plain("a\n# b\u{1B}[31m\tc  ", longest: 80) == "a # b [31m c")
    #expect(TraceHeader.plain(String(repeating: "x", count: 200), longest: 80).count == 80)
    let comments = TraceHeader(machine: "m", sensor: "s", rate: 25).comments
    #expect(comments.contains("rate: 25.0 Hz wanted") && comments.contains("mount matrix: unknown"))
  }

  @Test @MainActor func recordsWhatASourceDelivers() throws {
    let scratch = try Scratch()
    let lines = (0..<200).map { "\((Double($0) / 100).text(decimals: 2)),0,-9.81,0" }
    try lines.joined(separator: "\n").write(toFile: scratch.path("in.csv"), atomically: true, encoding: .utf8)
    let loop = try EventLoop()
    let source = ReplaySource(path: scratch.path("in.csv"), loop: loop) { Issue.record("\($0)") }
    let writer = try TraceWriter(path: scratch.path("out.csv"), force: false)
    let count = try Recorder(to: writer, from: source, on: loop).run(seconds: 0.3)
    #expect((25...35).contains(count), "\(count)")
    let rows = try scratch.text("out.csv").split(separator: "\n").filter { $0.hasSuffix("-9.8100,0.0000") }
    #expect(rows.count == count)
  }

  @Test @MainActor func sourceThatCannotStartEndsIt() throws {
    let scratch = try Scratch()
    let loop = try EventLoop()
    let source = ReplaySource(path: scratch.path("none"), loop: loop) { _ in }
    let writer = try TraceWriter(path: scratch.path("out.csv"), force: false)
    let failure = #expect(throws: Message.self) {
      try Recorder(to: writer, from: source, on: loop).run(seconds: nil)
    }
    #expect(failure?.status == .notPossible)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out.csv")))
  }
}
