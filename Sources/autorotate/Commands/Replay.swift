// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import Peers
import SensorSources

/// Runs the judge and the decision over a recorded trace, at full speed.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Tell what would have been decided on a recorded trace."),
    discussion: localized(
      """
      A trace has lines of seconds,x,y,z in m/s²; # begins a comment. Printed is a line for each change: \
      seconds, device orientation, interface orientation, reason.
      """))

  @Argument(help: .said("The trace, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Flag(help: .said("The judge alone: print the time and how the device is held at each change."))
  var judge = false

  @Flag(help: .said("Beside the judge, what iio-sensor-proxy would have said: what other desktops turn by."))
  var compare = false

  @Option(help: .said("Also draw all of it over time, as SVG.", valueName: "out.svg"), completion: .file())
  var plot: String?

  @Flag(
    help: .said("Lines are t_ns x y z: whole nanoseconds, separated by blanks. Times are printed so, too."))
  var nanoseconds = false

  @Option(
    help: ArgumentHelp("With --judge: a peer's rule in place of the judge.", visibility: .hidden),
    transform: Self.judge)
  var rule: (any OrientationJudge)?

  func validate() throws {
    guard !judge || !compare else { throw misuse("Give one of --judge and --compare.") }
    guard judge || rule == nil else { throw misuse("--rule goes with --judge.") }
    guard plot != file, plot != "-" else {
      throw misuse("--plot takes the path of a file to write.")
    }
  }

  mutating func run() throws {
    let descriptor = try openTrace()
    let name = file == "-" ? localized("standard input") : file
    var reader = TraceReader(
      descriptor: descriptor, name: name, format: nanoseconds ? .nanoseconds : .seconds)
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
    let clock: TraceClock = nanoseconds ? .nanoseconds : .seconds
    let listener: any TraceListener =
      if judge {
        JudgeListener(rule ?? OrientationClassifier(), clock)
      } else if compare {
        ComparisonListener(clock)
      } else {
        DecisionListener(clock)
      }
    let drawing = plot.map { PlotListener(path: $0, trace: reader.name) }
    while let (time, sample) = try reader.next() {
      listener.add(sample, at: time)
      drawing?.add(sample, at: time)
    }
    try listener.end()
    try drawing?.end()
  }

  private static let paced = "autorotate-paced"
  private static let cautious = "autorotate@"

  private static func judge(named name: String) throws -> any OrientationJudge {
    if name == paced { return PacedJudge() }
    if name.hasPrefix(cautious), let caution = Double(name.dropFirst(cautious.count)), caution > 0 {
      return OrientationClassifier(caution: caution)
    }
    if let rule = PeerRule(rawValue: name) { return rule.makeJudge() }
    let names = PeerRule.allCases.map(\.rawValue) + [paced, cautious + "1.0"]
    throw misuse("--rule is one of \(names.joined(separator: ", ")).")
  }
}
