// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import Peers
import SensorSources

/// Runs an orientation classifier over a trace, for the benchmarks.
@main struct TraceClassifier: ParsableCommand {
  nonisolated static let configuration = CommandConfiguration(
    commandName: "trace-classifier",
    abstract:
      "Print a line for each change of the device orientation in a trace: its time and the orientation.")

  @Argument(help: "The trace, or - for standard input.")
  var file: String

  @Option(
    help: "The rule of another program, by its name, in place of autorotate's classifier.",
    transform: Self.rule)
  var rule: any OrientationRule = OrientationClassifier()

  @Flag(
    help:
      "Lines are t_ns x y z [gx gy gz]: whole nanoseconds, separated by blanks. Times are printed so, too.")
  var nanoseconds = false

  @Flag(
    help:
      "Print changes of how far autorotate's classifier uses the gyroscope instead: absent, unproven, contradicted, carried or used; and faulty, once it would be reported to the user."
  )
  var gyroscope = false

  mutating func run() throws {
    let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ValidationError("\(file): \(String(cString: strerror(errno)))") }
    let format: TraceFormat = nanoseconds ? .nanoseconds : .seconds
    var reader = TraceReader(descriptor: descriptor, name: file, format: format)
    // Copies, since reading an option takes longer than a sample.
    var (trust, rule, showsGyroscope) = (GyroscopeTrust(), rule, gyroscope)
    while let (time, sample) = try reader.next() {
      if showsGyroscope {
        for word in trust.add(sample, at: time) { print(format.text(of: time), word) }
      } else if rule.add(sample, at: time) {
        print(format.text(of: time), rule.uprightOrientation.rawValue)
      }
    }
    // One error for all lines that were skipped.
    let skipped = reader.diagnostics.lines.map { localized($0) }
    if !skipped.isEmpty { throw ValidationError(skipped.joined(separator: "\n")) }
  }

  private static let paced = "autorotate-paced"
  private static let cautious = "autorotate@"

  /// - Parameter name: a peer's rule; "autorotate-paced" for the samples that the daemon reads; "autorotate@C" for the
  ///   classifier with the caution C.
  private static func rule(named name: String) throws -> any OrientationRule {
    if name == paced { return PacedClassifier() }
    if name.hasPrefix(cautious), let caution = Double(name.dropFirst(cautious.count)), caution > 0 {
      return OrientationClassifier(caution: caution)
    }
    if let rule = PeerRule(rawValue: name) { return rule.makeRule() }
    let names = PeerRule.allCases.map(\.rawValue) + [paced, cautious + "1.0"]
    throw ValidationError("give one of \(names.joined(separator: ", "))")
  }
}

/// Reports when the classifier stops or starts using the gyroscope, and why.
private nonisolated struct GyroscopeTrust {
  private var classifier = OrientationClassifier()
  private var use: OrientationClassifier.GyroscopeUse?
  private var isReported = false

  /// - Returns: the changes.
  mutating func add(_ sample: MotionSample, at now: Instant) -> [String] {
    _ = classifier.add(sample, at: now)
    var words: [String] = []
    if classifier.gyroscopeUse != use {
      words.append(classifier.gyroscopeUse.rawValue)
      use = classifier.gyroscopeUse
    }
    if classifier.hasWrongGyroscope, !isReported {
      words.append("faulty")
      isReported = true
    }
    return words
  }
}
