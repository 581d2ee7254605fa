// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language
import SensorSources
import System

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Show the sensor and the decisions live."),
    discussion: localized(
      """
      On a terminal it refreshes a block of lines; elsewhere it prints a line at each change. It reads \
      the sensor itself, as --sensor or the settings say, or as the daemon does. Press Ctrl-C to stop.
      """))

  @OptionGroup var source: SensorOption

  mutating func run() throws {
    let sensor = source.sensor
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
  private let style = TerminalStyle()
  private let choice: SensorChoice
  /// Whether the source was given on the command line, so that the daemon's does not matter.
  private let isGiven: Bool
  private let refreshes = Console.isTerminal && !TerminalStyle.isDumb(Environment.variable)
  private var report = MonitorReport()
  private var classifier = OrientationClassifier()
  private var printed: [String] = []
  private lazy var slot = SensorSlot(loop: loop, notice: { _ in }) {
    [unowned self] event, time in handle(event, at: time)
  }

  init(_ choice: SensorChoice, isGiven: Bool) throws {
    loop = try EventLoop()
    self.choice = choice
    self.isGiven = isGiven
  }

  func run() throws {
    let hangUp = FollowCommand.endings(of: loop)
    let follower = follow()
    slot.use(choice)
    slot.demand = .following
    defer { slot.stop() }
    _ = try withExtendedLifetime((hangUp, follower)) { try loop.run() }
  }

  /// Without a session bus, only the sensor is shown.
  private func follow() -> PropertyFollower? {
    do {
      let bus = try FollowCommand.connect(.session, loop)
      bus.onClosed = { [unowned self] in note(nil) }
      return try StatusReport.follow(on: bus) { [unowned self] daemon in note(daemon) }
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
    if !Console.write(start + text) { loop.exit() }
  }

  /// 80 if the terminal does not report its width.
  private var columns: Int { TerminalStyle.columns() ?? 80 }
}

struct MonitorReport {
  /// The sensor's name, or why there is none.
  var sensor = localized("looking for the sensor")
  /// In the panel's frame, m/s².
  var gravity: Acceleration?
  /// False for iio-sensor-proxy, which reports only the device orientation.
  var hasGravity = true
  var orientation = DeviceOrientation.unknown
  /// The orientation that the classifier may change to, and the share of the evidence that it has, 0…1.
  var candidate: (orientation: DeviceOrientation, share: Double)?
  /// `nil` while no daemon runs.
  var daemon: StatusReport?
  /// Whether it is not yet known if one runs.
  var isLookingForDaemon = true

  private static let maximumReasons = 4
  private static let maximumSensorLines = 2
  private static let indent = 10

  /// - Parameter sensor: a new one, or why there is none.
  mutating func begin(_ sensor: String) {
    (self.sensor, gravity, hasGravity, orientation, candidate) = (sensor, nil, true, .unknown, nil)
  }

  /// At most ten lines, each narrower than the terminal: a full line would wrap.
  func block(_ style: TerminalStyle, columns: Int) -> [String] {
    let rows: [(Phrase, String)] = [("Gravity", measured), ("Device", classified)]
    let lines = sensorLines(columns: columns - 1 - Self.indent) + rows.map(Self.row) + decision
    return lines.map { style.shown($0).clipped(to: max(1, columns - 1)) }
  }

  /// A reason may need a second line.
  private func sensorLines(columns: Int) -> [String] {
    var lines = sensor.wrapped(to: columns)
    if lines.count > Self.maximumSensorLines {
      lines = Array(lines.prefix(Self.maximumSensorLines))
      lines[lines.count - 1] = lines[lines.count - 1].clipped(to: max(0, columns - 4)) + " …"
    }
    let continuation = lines.dropFirst().map { String(repeating: " ", count: Self.indent) + $0 }
    return [Self.row("Sensor", lines[0])] + continuation
  }

  /// The decision in one line, without the measured values, which change all the time.
  func line(_ style: TerminalStyle) -> String {
    let decision = daemon.map {
      localized("screen \($0.orientation): \($0.sentences.joined(separator: " "))")
    }
    let device = gravity == nil && hasGravity ? sensor : orientation.rawValue
    let absence = isLookingForDaemon ? Self.looking : "autorotate is not running"
    return style.shown("\(device) · \(decision ?? localized(absence))")
  }

  private var decision: [String] {
    guard let daemon else { return [isLookingForDaemon ? localized(Self.looking) : localized(.notRunning)] }
    let lock: Phrase = daemon.lock.isEmpty ? "unlocked" : "locked to \(daemon.lock)"
    let hold: Phrase = daemon.isPaused ? ", paused" : ""
    let output: Phrase = daemon.output.isEmpty ? "no output" : "\(daemon.output)"
    let rows: [(Phrase, String)] = [
      ("Screen", localized("\(daemon.orientation) on \(output), \(lock)\(hold)")),
      ("Allowed", daemon.allowed.joined(separator: ", ")),
    ]
    return rows.map(Self.row) + daemon.sentences.suffix(Self.maximumReasons).map { "- \($0)" }
  }

  private static let looking: Phrase = "looking for autorotate"

  private var measured: String {
    guard hasGravity else { return localized("\(sensor) reports only the device orientation.") }
    guard let gravity else { return localized("No sample yet.") }
    let (x, y, z) = (Self.figure(gravity.x), Self.figure(gravity.y), Self.figure(gravity.z))
    return "x\(x)  y\(y)  z\(z)  |a|\(Self.figure(gravity.magnitude)) m/s²"
  }

  private var classified: String {
    guard let candidate else { return localized(Phrase(word: orientation.rawValue)) }
    let percent = (candidate.share * 100).text(decimals: 0)
    return localized(
      "\(Phrase(word: orientation.rawValue)), next \(candidate.orientation.rawValue) (\(percent) %)")
  }

  private static func row(_ name: Phrase, _ value: String) -> String {
    localized(name).padded(to: indent) + value
  }

  /// With a fixed width, so that the columns stay aligned.
  private static func figure(_ value: Double) -> String {
    let text = value.text(decimals: 2)
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }
}
