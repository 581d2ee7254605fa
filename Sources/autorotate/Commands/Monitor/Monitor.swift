// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import SensorSources
import System

/// `autorotate monitor`.
struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Show the sensor and the decisions live."),
    discussion: localized(
      """
      On a terminal it refreshes a block of lines; elsewhere it prints a line at each change. It reads \
      the sensor itself, as --sensor or the settings say. Press Ctrl-C to stop.
      """))

  @ParentCommand var whole: Autorotate

  mutating func run() throws {
    let sensor = whole.daemon.sensor
    try MainActor.assumeIsolated {
      let machine = Configuration.read(from: ConfigurationDirectories()).machine
      let choice = SensorChoice(
        source: sensor ?? machine.sensorSource, mountMatrix: machine.mountMatrix, rate: Self.rate,
        usesGyroscope: false)
      try MonitorRun().run(choice)
    }
  }

  /// Samples a second: faster figures cannot be read.
  private static let rate = 10.0
}

/// Follows the sensor and the daemon, and prints what changes, until it is interrupted.
@MainActor private final class MonitorRun {
  private let loop: EventLoop
  private let style = TerminalStyle(of: STDOUT_FILENO)
  private let refreshes = isatty(STDOUT_FILENO) == 1 && !TerminalStyle.isDumb(Environment.variable)
  private var report = MonitorReport()
  private var classifier = OrientationClassifier()
  private var printed: [String] = []

  init() throws {
    loop = try EventLoop()
  }

  func run(_ choice: SensorChoice) throws {
    let endings = try FollowCommand.endings(of: loop, STDOUT_FILENO)
    let follower = follow()
    let sensor = source(choice)
    sensor.demand(.following)
    try sensor.start { [unowned self] event, time in handle(event, at: time) }
    defer { sensor.stop() }
    _ = try withExtendedLifetime((endings, follower)) { try loop.run() }
  }

  /// Without a session bus, only the sensor is shown.
  private func follow() -> StatusFollower? {
    do {
      let bus = try FollowCommand.connect(.session, loop)
      bus.onClosed = { [unowned self] in change { $0.daemon = nil } }
      return try StatusFollower(bus: bus) { [unowned self] daemon in change { $0.daemon = daemon } }
    } catch {
      Console.log(localized("\(error)"))
      return nil
    }
  }

  /// The accelerometer itself, whatever the daemon reads: iio-sensor-proxy does not report gravity.
  private func source(_ choice: SensorChoice) -> any SensorSource {
    if case .replay(let path) = choice.source { return ReplaySource(path: path, loop: loop) { _ in } }
    return IIOAccelerometer(
      loop: loop, mountMatrix: choice.mountMatrix, rate: choice.rate, usesBuffer: false, usesGyroscope: false
    ) { _ in }
  }

  private func handle(_ event: Event, at time: Instant) {
    switch event {
    case .sensorFound(let name): change { $0.sensor = name }
    case .sensorLost(let reason): change { ($0.sensor, $0.gravity) = (localized(reason), nil) }
    case .motion(let sample):
      _ = classifier.add(sample, at: time)
      change {
        ($0.gravity, $0.orientation) = (sample.acceleration, classifier.orientation)
        $0.candidate = classifier.tendency.map { ($0.orientation, $0.share) }
      }
    default: break
    }
  }

  private func change(_ edit: (inout MonitorReport) -> Void) {
    edit(&report)
    let lines = refreshes ? report.block(style, columns: columns) : [report.line(style)]
    guard lines != printed else { return }
    let start = refreshes && !printed.isEmpty ? "\u{1B}[\(printed.count)A\u{1B}[J" : ""
    printed = lines
    let text = lines.map { $0 + "\n" }.joined()
    if !Console.write(start + text, to: STDOUT_FILENO) { loop.exit() }
  }

  /// 80 if the terminal does not report its width.
  private var columns: Int { TerminalStyle.columns(of: STDOUT_FILENO) ?? 80 }
}
