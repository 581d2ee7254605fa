// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// The values that `autorotate monitor` shows.
struct MonitorReport {
  /// The sensor's name, or why there is none.
  var sensor = localized("looking for the sensor")
  /// In the panel's frame, m/s².
  var gravity: Acceleration?
  var orientation = DeviceOrientation.unknown
  /// The orientation that the classifier may change to, and the share of the evidence that it has, 0…1.
  var candidate: (orientation: DeviceOrientation, share: Double)?
  /// `nil` while no daemon runs.
  var daemon: StatusReport?

  private static let mostReasons = 4

  /// At most ten lines, each narrower than the terminal: a full line would wrap.
  func block(_ style: TerminalStyle, columns: Int) -> [String] {
    let rows: [(Phrase, String)] = [("Sensor", sensor), ("Gravity", measured), ("Device", classified)]
    let lines = rows.map(Self.row) + decision
    return lines.map { style.shown($0).clipped(to: max(1, columns - 1)) }
  }

  /// The decision in one line, without the measured values, which change all the time.
  func line(_ style: TerminalStyle) -> String {
    let decision = daemon.map {
      localized("screen \($0.orientation): \($0.sentences.joined(separator: " "))")
    }
    let device = gravity == nil ? sensor : orientation.rawValue
    return style.shown("\(device) · \(decision ?? localized("autorotate is not running"))")
  }

  private var decision: [String] {
    guard let daemon else { return [localized(.notRunning)] }
    let lock: Phrase = daemon.lock.isEmpty ? "unlocked" : "locked to \(daemon.lock)"
    let hold: Phrase = daemon.isPaused ? ", paused" : ""
    let output: Phrase = daemon.output.isEmpty ? "no output" : "\(daemon.output)"
    let rows: [(Phrase, String)] = [
      ("Screen", localized("\(daemon.orientation) on \(output), \(lock)\(hold)")),
      ("Allowed", daemon.allowed.joined(separator: ", ")),
    ]
    return rows.map(Self.row) + daemon.sentences.suffix(Self.mostReasons).map { "- \($0)" }
  }

  private var measured: String {
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
    localized(name).padded(to: 10) + value
  }

  /// With a fixed width, so that the columns stay aligned.
  private static func figure(_ value: Double) -> String {
    let text = value.text(decimals: 2)
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }
}
