// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// What `autorotate monitor` shows, as values.
struct MonitorReport {
  /// Its name, or why there is none.
  var sensor = localized("looking for the sensor")
  /// In the panel's frame, m/s².
  var gravity: Acceleration?
  var orientation = DeviceOrientation.unknown
  /// What the classifier may change to, and how much of the evidence for it there is, 0…1.
  var candidate: (orientation: DeviceOrientation, share: Double)?
  /// `nil` while no daemon runs.
  var daemon: StatusReport?

  private static let mostReasons = 4

  /// At most ten lines, each narrower than the terminal, where a full one would wrap.
  func block(_ style: TerminalStyle, columns: Int) -> [String] {
    let rows: [(Phrase, String)] = [("Sensor", sensor), ("Gravity", measured), ("Device", classified)]
    let lines = rows.map(Self.row) + decision
    return lines.map { style.shown($0).clipped(to: max(1, columns - 1)) }
  }

  /// All that is decided in one line; the figures are left out, since they never rest.
  func line(_ style: TerminalStyle) -> String {
    let decision = daemon.map {
      localized("picture \($0.orientation): \($0.sentences.joined(separator: " "))")
    }
    let device = gravity == nil ? sensor : orientation.rawValue
    return style.shown("\(device) · \(decision ?? localized("autorotate is not running"))")
  }

  private var decision: [String] {
    guard let daemon else { return [localized(.notRunning)] }
    let lock: Phrase = daemon.lock.isEmpty ? "unlocked" : "locked to \(daemon.lock)"
    let hold: Phrase = daemon.isOnHold ? ", on hold" : ""
    let output: Phrase = daemon.output.isEmpty ? "no output" : "\(daemon.output)"
    let rows: [(Phrase, String)] = [
      ("Picture", localized("\(daemon.orientation) on \(output), \(lock)\(hold)")),
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

  /// Of one width, so that nothing jumps.
  private static func figure(_ value: Double) -> String {
    let text = value.text(decimals: 2)
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }
}
