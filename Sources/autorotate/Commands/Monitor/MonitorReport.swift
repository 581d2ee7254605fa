// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// The values that `autorotate monitor` shows.
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
