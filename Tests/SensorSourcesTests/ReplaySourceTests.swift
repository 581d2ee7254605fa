// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import SensorSources

@MainActor @Suite struct ReplaySourceTests {
  private func replay(_ file: TemporaryFile, on fixture: SourceFixture) -> ReplaySource {
    ReplaySource(path: file.path, loop: fixture.loop, notice: fixture.note)
  }

  @Test func `samples come at the intervals of the trace`() throws {
    let file = TemporaryFile("5.00,1,0,0\n5.02,2,0,0\n5.02,3,0,0\n5.12,4,0,0\n")
    let fixture = try SourceFixture()
    let source = replay(file, on: fixture)
    try source.start(fixture.record)
    #expect(fixture.events.isEmpty, "nothing is reported from within start")
    let begin = EventLoop.now
    source.demand(.resting)
    try fixture.await("the end of the trace") { !fixture.losses.isEmpty }

    #expect(fixture.finds == ["trace \(file.path)"])
    #expect(fixture.samples.map(\.acceleration.x) == [1, 2, 3, 4])
    let first = try #require(fixture.samples.first?.moment)
    #expect(first.nanoseconds >= begin)
    #expect(fixture.samples.map { $0.moment.seconds(since: first) } == [0, 0.02, 0.02, 0.12])
    #expect(EventLoop.now >= first.nanoseconds + 120_000_000, "played in real time")
    #expect(fixture.losses == ["the trace \(file.path) has ended: restart to replay it"])
  }

  @Test func `nothing is played before the first demand`() throws {
    let file = TemporaryFile("0,1,0,0\n0.01,2,0,0\n")
    let fixture = try SourceFixture()
    let source = replay(file, on: fixture)
    try source.start(fixture.record)
    try fixture.await("the sensor") { !fixture.finds.isEmpty }
    try fixture.loop.settle()
    source.demand(.off)
    try fixture.loop.settle()
    #expect(fixture.events.count == 1)
    source.demand(.following)
    try fixture.await("both samples") { fixture.samples.count == 2 }
  }

  @Test func `another demand does not delay playback`() throws {
    let file = TemporaryFile("0,1,0,0\n0.02,2,0,0\n")
    let fixture = try SourceFixture()
    let source = replay(file, on: fixture)
    try source.start { event, moment in
      fixture.record(event, moment)
      if case .motion = event { source.demand(.following) }
    }
    source.demand(.resting)
    try fixture.await("both samples") { fixture.samples.count == 2 }
    let moments = fixture.samples.map(\.moment)
    #expect(moments[1].seconds(since: moments[0]) == 0.02)
  }

  @Test func `playback continues without demand`() throws {
    let file = TemporaryFile("0,1,0,0\n0.05,2,0,0\n0.06,3,0,0\n")
    let fixture = try SourceFixture()
    let source = replay(file, on: fixture)
    try source.start { event, moment in
      fixture.record(event, moment)
      if case .motion = event { source.demand(.off) }
    }
    source.demand(.following)
    try fixture.await("the end of the trace") { !fixture.losses.isEmpty }
    #expect(fixture.samples.map(\.acceleration.x) == [1])
  }

  @Test func `a stopped replay reports nothing`() throws {
    let file = TemporaryFile("0,1,0,0\n0.01,2,0,0\n")
    let fixture = try SourceFixture()
    let source = replay(file, on: fixture)
    try source.start { event, moment in
      fixture.record(event, moment)
      if case .motion = event { source.stop() }
    }
    source.demand(.following)
    try fixture.await("the first sample") { !fixture.samples.isEmpty }
    try fixture.loop.settle()
    #expect(fixture.samples.count == 1)
    #expect(fixture.losses.isEmpty)
  }

  @Test func `skipped lines are reported`() throws {
    let file = TemporaryFile("0,1,0,0\nrubbish\n0.01,2,0,0\n")
    let fixture = try SourceFixture()
    let source = replay(file, on: fixture)
    try source.start(fixture.record)
    source.demand(.following)
    try fixture.await("the end of the trace") { !fixture.losses.isEmpty }
    #expect(fixture.samples.count == 2)
    #expect(fixture.notices == ["\(file.path):2:1: not a time; expected seconds, as in 0.10"])
  }

  @Test func `times at the limits are accepted`() throws {
    let file = TemporaryFile("-9.1e9,1,0,0\n9.1e9,2,0,0\n")
    let fixture = try SourceFixture()
    let source = replay(file, on: fixture)
    try source.start(fixture.record)
    source.demand(.following)
    try fixture.await("the first sample") { fixture.samples.count == 1 }
    try fixture.loop.runPending()
    #expect(fixture.samples.count == 1, "the second comes in 577 years")
  }

  @Test(arguments: [
    ("/nonexistent/trace.csv", "cannot open the trace /nonexistent/trace.csv (No such file or directory)"),
    ("/tmp", "the trace /tmp is not a regular file: save the stream to a file first"),
  ])
  func `an unplayable trace is explained`(path: String, beginning: String) throws {
    let fixture = try SourceFixture()
    let source = ReplaySource(path: path, loop: fixture.loop, notice: fixture.note)
    let error = #expect(throws: Message.self) { try source.start(fixture.record) }
    #expect(error?.description.hasPrefix(beginning) == true)
  }

  @Test func `a trace without samples is an error`() throws {
    let file = TemporaryFile("# nothing here\n0,1\nx\n")
    let fixture = try SourceFixture()
    let error = #expect(throws: Message.self) { try replay(file, on: fixture).start(fixture.record) }
    #expect(
      error?.description == """
        the trace \(file.path) has no samples: write one line per sample, seconds,x,y,z in m/s², as in \
        0.10,0.02,-9.81,0.15; the first line that could not be read: \(file.path):2:4: y is missing; \
        expected seconds,x,y,z in m/s², as in 0.10,0.02,-9.81,0.15
        """)
  }
}
