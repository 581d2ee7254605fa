// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import SensorSources

/// Runs the judge and the decision over a recorded trace, at full speed.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what would have been decided on a recorded trace.",
    discussion: """
      A trace has lines of seconds,x,y,z in m/s²; # begins a comment. Printed is a line for each change: \
      seconds, device orientation, interface orientation, reason.
      """)

  @Argument(help: ArgumentHelp("The trace, or - for standard input.", valueName: "file"))
  var file: String

  @Flag(help: "The judge alone: print the time and how the device is held at each change.")
  var judge = false

  @Flag(help: "Lines are t_ns x y z: whole nanoseconds, separated by blanks. Times are printed so, too.")
  var nanoseconds = false

  mutating func run() throws {
    let descriptor = try openTrace()
    var reader = TraceReader(
      descriptor: descriptor, name: file == "-" ? "standard input" : file,
      format: nanoseconds ? .nanoseconds : .seconds)
    do {
      if judge { try replayJudge(&reader) } else { try replayDecision(&reader) }
    } catch {
      throw Failure(.failed, "\(file) cannot be read: \(error)")
    }
    reader.diagnostics.lines.forEach(Console.complain)
    if reader.diagnostics.total > 0 { throw ExitStatus.usage }
  }

  private func openTrace() throws -> Int32 {
    guard file != "-" else { return STDIN_FILENO }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.usage, "\(file): \(String(cString: strerror(errno))); give the path of a readable trace")
    }
    return descriptor
  }

  private func replayJudge(_ reader: inout TraceReader) throws {
    var judge = OrientationClassifier()
    while let (time, acceleration) = try reader.next() {
      guard judge.add(acceleration, at: time) else { continue }
      Console.say("\(text(of: time)) \(judge.held.rawValue)")
    }
  }

  private func replayDecision(_ reader: inout TraceReader) throws {
    var rehearsal = Rehearsal()
    while let (time, acceleration) = try reader.next() {
      rehearsal.play(acceleration, at: time) { time, status in
        let reasons = status.reasons.map(\.sentence).joined(separator: " ")
        Console.say("\(text(of: time)) \(status.device.rawValue) \(status.interface.word) \(reasons)")
      }
    }
  }

  private func text(of time: Instant) -> String {
    nanoseconds ? "\(time.nanoseconds)" : Self.seconds(time.nanoseconds)
  }

  /// Milliseconds are enough for a person to find the place.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds.magnitude / 1_000_000
    let fraction = String(milliseconds % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(nanoseconds < 0 ? "-" : "")\(milliseconds / 1000).\(zeros)\(fraction)"
  }
}
