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
      the sensor itself, as --sensor or the settings say, or as the daemon does. Press Ctrl-C to stop.
      """))

  @ParentCommand var whole: Autorotate

  mutating func run() throws {
    let sensor = whole.daemon.sensor
    try MainActor.assumeIsolated {
      let machine = Configuration.read(from: ConfigurationDirectories()).machine
      var choice = SensorChoice(
        source: sensor ?? machine.sensorSource, accelerometer: machine.accelerometer, usesBuffer: false)
      (choice.accelerometer.rate, choice.accelerometer.usesGyroscope) = (Self.rate, false)
      try MonitorRun(choice, isGiven: sensor != nil).run()
    }
  }

  /// Samples a second: faster figures cannot be read.
  private static let rate = 10.0
}

/// Follows the sensor and the daemon, and prints what changes, until it is interrupted.
@MainActor private final class MonitorRun {
  private let loop: EventLoop
  private let style = TerminalStyle(of: STDOUT_FILENO)
  private let choice: SensorChoice
  /// Whether the source was given on the command line, so that the daemon's does not matter.
  private let isGiven: Bool
  private let refreshes = isatty(STDOUT_FILENO) == 1 && !TerminalStyle.isDumb(Environment.variable)
  private var report = MonitorReport()
  private var classifier = OrientationClassifier()
  private var printed: [String] = []
  private lazy var slot = SensorSlot(loop: loop, notice: { _ in }, reportHinge: { _ in }) {
    [unowned self] event, time in handle(event, at: time)
  }

  init(_ choice: SensorChoice, isGiven: Bool) throws {
    loop = try EventLoop()
    self.choice = choice
    self.isGiven = isGiven
  }

  func run() throws {
    let hangUp = FollowCommand.endings(of: loop, STDOUT_FILENO)
    let follower = follow()
    slot.use(choice)
    slot.demand = .following
    defer { slot.stop() }
    _ = try withExtendedLifetime((hangUp, follower)) { try loop.run() }
  }

  /// Without a session bus, only the sensor is shown.
  private func follow() -> StatusFollower? {
    do {
      let bus = try FollowCommand.connect(.session, loop)
      bus.onClosed = { [unowned self] in note(nil) }
      return try StatusFollower(bus: bus) { [unowned self] daemon in note(daemon) }
    } catch {
      report.isLookingForDaemon = false
      Console.log(localized("\(error)"))
      return nil
    }
  }

  private func note(_ daemon: StatusReport?) {
    change { ($0.isLookingForDaemon, $0.daemon) = (false, daemon) }
    var choice = choice
    if !isGiven, daemon?.sensor == SensorProxySource.name { choice.source = .proxy }
    slot.use(choice)
  }

  private func handle(_ event: Event, at time: Instant) {
    switch event {
    case .sensorFound(let name): change { $0.begin(name) }
    case .sensorLost(let reason): change { $0.begin(localized(reason.what)) }
    case .deviceRotated(let orientation): change { ($0.orientation, $0.hasGravity) = (orientation, false) }
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
