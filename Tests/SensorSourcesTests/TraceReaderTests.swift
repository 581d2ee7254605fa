// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing

@testable import SensorSources

@Suite struct TraceReaderTests {
  @Test func `a recorded trace is read`() throws {
    let trace = try TraceContents(
      of: """
        # a trace
        seconds,x,y,z

        0,0.1,-9.81,0.2
          0.5 , 1 , 2 , 3   # comments may follow
        0.5\t1e1 -2.5E-1 +.5
        """)
    #expect(trace.times == [0, 0.5, 0.5])
    #expect(
      trace.accelerations == [
        Acceleration(x: 0.1, y: -9.81, z: 0.2), Acceleration(x: 1, y: 2, z: 3),
        Acceleration(x: 10, y: -0.25, z: 0.5),
      ])
    #expect(trace.problems.total == 0)
  }

  @Test func `a trace in nanoseconds is read`() throws {
    let trace = try TraceContents(of: "0 0 -9.81 0\n20000000 1.5 -9.5 0.25\n", .nanoseconds)
    #expect(trace.times == [0, 0.02])
    #expect(trace.accelerations.last == Acceleration(x: 1.5, y: -9.5, z: 0.25))
    #expect(try TraceContents(of: "0.5 0 0 0", .nanoseconds).problems.total == 1)
  }

  @Test func `angular rates are read where there are new ones`() throws {
    let rates = [AngularRate(x: 0.1, y: -0.2, z: 3), nil, nil, nil]
    let text = """
      seconds,x,y,z,gx,gy,gz
      0,0,-9.81,0,0.1,-0.2,3
      0.1,0,-9.81,0,,,    # nothing new
      0.2,0,-9.81,0 , , ,
      0.3,0,-9.81,0
      """
    let trace = try TraceContents(of: text)
    #expect(trace.rates == rates && trace.accelerations.count == 4 && trace.problems.total == 0)
    let blanks = try TraceContents(
      of: "0 0 -9.81 0 0.1 -0.2 3\n1 0 -9.81 0 - - -\n2 0 -9.81 0\n3 0 -9.81 0 - - - # end", .nanoseconds)
    #expect(blanks.rates == rates && blanks.problems.total == 0)
  }

  @Test(arguments: [
    "t;x;y;z", "t x y z", "t\tx\ty\tz", "time (s), x (m/s²), y (m/s²), z (m/s²)", "\"s\",\"x\",\"y\",\"z\"",
  ])
  func `one line with column names is accepted`(names: String) throws {
    #expect(try TraceContents(of: names + "\n0,1,2,3").problems.total == 0)
    #expect(try TraceContents(of: "0,1,2,3\n" + names).problems.total == 1)
  }

  @Test(arguments: [
    "é x y z", "?,x,y,z", "t\u{1},x,y,z", "t,\u{FFFD},y,z", "t,5x,y,z", "t,-x,y,z", "t,inf,y,z",
  ])
  func `a first line that is no list of names is invalid`(line: String) throws {
    #expect(try TraceContents(of: line + "\n0,1,2,3").problems.total == 1)
  }

  @Test func `a trace in nanoseconds has no column names`() throws {
    #expect(try TraceContents(of: "t x y z\n0 0 0 0", .nanoseconds).problems.total == 1)
  }

  @Test func `only the first line may have a byte order mark`() throws {
    #expect(try TraceContents(of: "0,1,2,3\n\u{FEFF}1,1,2,3").problems.total == 1)
  }

  @Test func `a descriptor that cannot be read is an error`() throws {
    let directory = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    var reader = TraceReader(descriptor: directory, name: "t", format: .seconds)
    var code: Int32 = 0
    do { _ = try reader.next() } catch { code = (error as? SystemError)?.code ?? 0 }
    #expect(code == EISDIR)
  }

  @Test(
    arguments: [(0, "0.000"), (1_234_567_890, "1.234"), (20_000_000, "0.020"), (-1_500_000_000, "-1.500")]
      as [(Int64, String)])
  func `a time is written in the unit of the trace`(nanoseconds: Int64, text: String) {
    let time = Instant(nanoseconds: nanoseconds)
    #expect(TraceFormat.seconds.text(of: time) == text)
    #expect(TraceFormat.nanoseconds.text(of: time) == "\(nanoseconds)")
  }

  @Test func `files from windows are read`() throws {
    let trace = try TraceContents(of: "\u{FEFF}0,1,2,3\r\n\r\n1,1,2,3\r\n2,1,2,3")
    #expect(trace.times == [0, 1, 2])
    #expect(trace.problems.total == 0)
  }

  /// The diagnostic of an invalid line, and that a valid line after it is still read.
  @Test(arguments: [
    ("nan,0,0,0", "t:1:1: not a time; expected seconds, as in 0.10"),
    ("0,nan,0,0", "t:1:3: x is not a number; expected m/s², as in -9.81"),
    ("0,1,-inf,0", "t:1:5: y is not a number; expected m/s², as in -9.81"),
    ("0,1,2,1e999", "t:1:7: z is not a number; expected m/s², as in -9.81"),
    ("0,0x1p3,2,3", "t:1:3: x is not a number; expected m/s², as in -9.81"),
    ("0,1,2", "t:1:6: z is missing; expected seconds,x,y,z in m/s², as in 0.10,0.02,-9.81,0.15"),
    ("0,1,,3", "t:1:5: y is not a number; expected m/s², as in -9.81"),
    ("0", "t:1:2: x is missing; expected seconds,x,y,z in m/s², as in 0.10,0.02,-9.81,0.15"),
    ("0,1,2 # 3", "t:1:7: z is missing; expected seconds,x,y,z in m/s², as in 0.10,0.02,-9.81,0.15"),
    (
      "0,1,2,3,4",
      "t:1:10: the angular rate is incomplete; expected all of gx, gy and gz, or none"
    ),
    (
      "0,1,2,3,4,,",
      "t:1:12: the angular rate is incomplete; expected all of gx, gy and gz, or none"
    ),
    ("0,1,2,3,4,nan,5", "t:1:11: gy is not a number; expected rad/s, as in 0.35"),
    (
      "0,1,2,3,4,5,6,7",
      "t:1:14: unexpected text after the numbers; expected seconds,x,y,z in m/s², as in 0.10,0.02,-9.81,0.15, "
        + "or with gx, gy and gz in rad/s"
    ),
    ("0;1;2;3", "t:1:1: not a time; expected seconds, as in 0.10"),
    ("9.2e9,1,2,3", "t:1:1: not a time; expected seconds, as in 0.10"),
    ("1e300,1,2,3", "t:1:1: not a time; expected seconds, as in 0.10"),
    ("0,1.2.3,2,3", "t:1:3: x is not a number; expected m/s², as in -9.81"),
    ("0,1e,2,3", "t:1:3: x is not a number; expected m/s², as in -9.81"),
    ("\u{0}\u{1}\u{2}", "t:1:1: not a time; expected seconds, as in 0.10"),
  ])
  func `an invalid line is reported and skipped`(line: String, message: String) throws {
    let trace = try TraceContents(of: line + "\n7,0,-9.81,0\n")
    #expect(trace.problems.lines.map(\.description) == [message])
    #expect(trace.times == [7])
  }

  @Test func `lines with an earlier time are skipped`() throws {
    let trace = try TraceContents(of: "1,0,0,0\n2,0,0,0\n1.5,0,0,0\n  0,0,0,0\n2.5,0,0,0")
    #expect(trace.times == [1, 2, 2.5])
    #expect(
      trace.problems.lines.map(\.description) == [
        "t:3:1: time goes back; each line must be at or after the one before it",
        "t:4:3: time goes back; each line must be at or after the one before it",
      ])
  }

  @Test func `an endless line loses only itself`() throws {
    let long = String(repeating: "1", count: 3 * LineReader.capacity)
    let trace = try TraceContents(of: "0,0,0,0\n\(long)\n1,0,0,0\n\(long)")
    #expect(trace.times == [0, 1])
    #expect(trace.problems.first.map(\.line) == [2, 4] && trace.problems.first.map(\.column) == [1, 1])
    #expect(
      trace.problems.first.first?.message.description.hasPrefix("a line of more than 65536 bytes") == true)
  }

  @Test func `lines across the buffer are read whole`() throws {
    let lines = (0..<20_000).map { "\($0),\($0 % 7).25,-9.81,\($0 % 3)" }
    let trace = try TraceContents(of: lines.joined(separator: "\n"))
    #expect(trace.times == (0..<20_000).map(Double.init))
    #expect(trace.accelerations.map(\.x) == (0..<20_000).map { Double($0 % 7) + 0.25 })
    #expect(trace.problems.total == 0)
  }

  @Test func `many problems are counted`() throws {
    let trace = try TraceContents(of: String(repeating: "x\n", count: 1001))
    #expect(trace.problems.total == 1000, "the first is read as column names")
    #expect(trace.problems.first.count == TraceDiagnostics.kept)
    #expect(trace.problems.lines.last?.description == "and 980 more lines were skipped")
  }

  @Test(arguments: ["", "\n\n", "# nothing\n", "seconds,x,y,z\n"])
  func `a trace without lines has no samples`(text: String) throws {
    #expect(try TraceContents(of: text) == TraceContents(of: ""))
  }
}
