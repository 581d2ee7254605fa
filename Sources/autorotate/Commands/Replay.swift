// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import SensorSources

/// Runs the classifier and the decision over a recorded trace, at full speed.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Show the decisions on a recorded trace."),
    discussion: localized(
      """
      A trace has lines of seconds,x,y,z in m/s²; # begins a comment. For each change a line is printed: \
      seconds, device orientation, screen orientation, reason. On a terminal, a heading comes first.
      """))

  @Argument(help: .localized("The trace, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Flag(
    help: .localized(
      "Read lines of t_ns x y z (whole nanoseconds, separated by spaces), and print times in nanoseconds."))
  var nanoseconds = false

  mutating func run() throws {
    let descriptor = try openTrace()
    let name = file == "-" ? localized("standard input") : file
    var reader = TraceReader(descriptor: descriptor, name: name, format: format)
    let hasSamples: Bool
    do {
      hasSamples = try replay(&reader)
    } catch {
      throw Message(.commandFailed, "\(name) cannot be read: \(error)")
    }
    if !hasSamples, let first = reader.diagnostics.first.first {
      throw Message(
        .commandMistaken, "\(name) is not a trace (line \(first.line): \(first.message))",
        next: "record one with `autorotate record`")
    }
    reader.diagnostics.lines.forEach { Console.log(localized($0)) }
    if reader.diagnostics.total > 0 { throw ExitStatus.usage }
  }

  private var format: TraceFormat { nanoseconds ? .nanoseconds : .seconds }

  private func openTrace() throws -> Int32 {
    guard file != "-" else { return STDIN_FILENO }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Message(
        .commandMistaken, "\(file): \(String(cString: strerror(errno))). Give the path of a readable trace")
    }
    return descriptor
  }

  /// - Returns: whether there was any sample.
  private func replay(_ reader: inout TraceReader) throws -> Bool {
    var simulation = DecisionSimulation()
    var (hasSamples, hasReader) = (false, true)
    while hasReader, let (time, sample) = try reader.next() {
      if !hasSamples, Console.isTerminal { Console.print(heading) }
      hasSamples = true
      simulation.play(sample, at: time) { time, status in
        let words = [format.text(of: time), status.device.rawValue, status.interface.word]
        let line = (words + status.messages.map(\.description)).joined(separator: " ")
        if hasReader { hasReader = Console.write(line.printableLines + "\n") }
      }
    }
    return hasSamples
  }

  /// On a terminal only: scripts read the lines.
  private var heading: String {
    let time: Phrase = nanoseconds ? "Nanoseconds" : "Seconds"
    return localized("\(time), device orientation, screen orientation, reason:")
  }
}

/// Runs the whole decision on a trace, in the trace's time, with a simulated panel that rotates at once.
struct DecisionSimulation {
  private var autorotator = Autorotator()
  private var hasBegun = false
  private var lastReported: (DeviceOrientation, InterfaceOrientation)?

  /// - Parameter report: called for each change of device or screen orientation, after the rotation.
  mutating func play(_ sample: MotionSample, at time: Instant, report: (Instant, Status) -> Void) {
    if !hasBegun { begin(at: time, report) }
    while let due = autorotator.deadline, due < time {
      feed(.deadlineReached, at: due, report)
    }
    feed(.motion(sample), at: time, report)
  }

  private mutating func begin(at time: Instant, _ report: (Instant, Status) -> Void) {
    hasBegun = true
    feed(.sensorFound(name: "trace"), at: time, report)
    feed(.outputsChanged([Self.panel]), at: time, report)
  }

  private static var panel: Output { Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080) }

  /// What a daemon would decide after its start, by the settings, the rules and the saved lock.
  /// - Parameter application: as for `Autorotator.explanation`.
  @MainActor static func explanation(of application: String?, isFullscreen: Bool) -> Explanation {
    let configuration = Configuration.read(from: ConfigurationDirectories())
    var autorotator = SavedState().autorotator
    let start = Instant(nanoseconds: 0)
    _ = autorotator.handle(.settingsChanged(configuration.settings), at: start)
    _ = autorotator.handle(.outputsChanged([panel]), at: start)
    var explanation = autorotator.explanation(of: application, isFullscreen: isFullscreen)
    explanation.addFindings(of: configuration)
    return explanation
  }

  private mutating func feed(_ event: Event, at time: Instant, _ report: (Instant, Status) -> Void) {
    for action in autorotator.handle(event, at: time) {
      switch action {
      case .willRotate(let rotation): feed(.readyToRotate(rotation), at: time, report)
      case .apply(let rotation, _): feed(.rotationFinished(rotation), at: time, report)
      case .publish(let status): reportChange(in: status, at: time, report)
      default: break
      }
    }
  }

  private mutating func reportChange(in status: Status, at time: Instant, _ report: (Instant, Status) -> Void)
  {
    let isRotating = status.reasons.contains { if case .rotating = $0 { true } else { false } }
    let current = (status.device, status.interface)
    guard !isRotating, status.device != .unknown, lastReported.map({ $0 != current }) ?? true else { return }
    lastReported = current
    report(time, status)
  }
}
