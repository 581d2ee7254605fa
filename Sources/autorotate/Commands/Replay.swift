// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import SensorSources

/// Runs the classifier and the decision over a recorded trace, at full speed.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Show the decisions on a recorded trace."),
    discussion: localized(
      """
      A trace has lines of seconds,x,y,z in m/s²; # begins a comment. Printed is a line for each change: \
      seconds, device orientation, interface orientation, reason.
      """))

  @Argument(help: .said("The trace, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Flag(
    help: .said("Lines are t_ns x y z: whole nanoseconds, separated by blanks. Times are printed so, too."))
  var nanoseconds = false

  mutating func run() throws {
    let descriptor = try openTrace()
    let name = file == "-" ? localized("standard input") : file
    var reader = TraceReader(descriptor: descriptor, name: name, format: format)
    do {
      try replay(&reader)
    } catch let failure as Message {
      throw failure
    } catch {
      throw Message(.commandFailed, "\(name) cannot be read: \(error)")
    }
    reader.diagnostics.lines.forEach { Console.complain(localized($0)) }
    if reader.diagnostics.total > 0 { throw ExitStatus.usage }
  }

  private var format: TraceFormat { nanoseconds ? .nanoseconds : .seconds }

  private func openTrace() throws -> Int32 {
    guard file != "-" else { return STDIN_FILENO }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Message(
        .commandMistaken, "\(file): \(String(cString: strerror(errno))); give the path of a readable trace")
    }
    return descriptor
  }

  private func replay(_ reader: inout TraceReader) throws {
    var rehearsal = Rehearsal()
    while let (time, sample) = try reader.next() {
      rehearsal.play(sample, at: time) { time, status in
        let words = [format.text(of: time), status.device.rawValue, status.interface.word]
        Console.say((words + status.reasons.map(\.message.description)).joined(separator: " "))
      }
    }
  }
}
