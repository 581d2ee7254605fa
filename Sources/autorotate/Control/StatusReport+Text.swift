// SPDX-License-Identifier: MIT

import Glibc

extension StatusReport {
  /// One line of JSON, for bars and scripts. `null` stands for nothing.
  var json: String {
    JSON.object([
      ("orientation", .string(orientation)),
      ("device", .string(device)),
      ("lock", lockJSON),
      ("held", .bool(isHeld)),
      ("allowed", .array(allowed.map(JSON.string))),
      ("posture", .string(posture)),
      ("sensor", .object([("name", .optional(sensor)), ("state", .string(sensorState))])),
      ("output", .optional(output)),
      ("application", .optional(application)),
      ("suggestion", .optional(suggestion)),
      ("reasons", .array(reasons.map(JSON.string))),
    ]).description
  }

  private var lockJSON: JSON {
    guard !lock.isEmpty else { return .null }
    return .object([
      ("orientation", .string(lock)),
      ("end", .optional(lockEnd)),
      ("endTime", lockEndTime == 0 ? .null : .number(lockEndTime)),
      ("application", .optional(lockApplication)),
    ])
  }

  /// "left · device left-up · unlocked · The device is held left-up."
  var line: String {
    ([headline] + reasons.suffix(1)).joined(separator: " · ")
  }

  /// "left · device left-up · unlocked"
  var headline: String {
    let hold = isHeld ? ["on hold"] : []
    return (["\(orientation)", "device \(device)", lockWords] + hold).joined(separator: " · ")
  }

  /// For a person, over several lines, without a newline at the end.
  var text: String {
    let rows = [
      ("Orientation", orientation), ("Device", device), ("Lock", lockWords),
      ("Rotation", isHeld ? "on hold" : ""), ("Allowed", allowed.joined(separator: ", ")),
      ("Posture", posture), ("Sensor", sensorWords), ("Output", output.isEmpty ? "none" : output),
      ("Application", application), ("Suggestion", suggestion),
    ]
    let set = rows.filter { !$0.1.isEmpty }.map { name, value in "\(name.padded(to: 13))\(value)" }
    guard !reasons.isEmpty else { return set.joined(separator: "\n") }
    return (set + ["Because"] + reasons.map { "  \($0)" }).joined(separator: "\n")
  }

  private var sensorWords: String {
    sensor.isEmpty ? sensorState : "\(sensor) (\(sensorState))"
  }

  private var lockWords: String {
    guard !lock.isEmpty else { return "unlocked" }
    switch lockEnd {
    case "time": return "locked to \(lock) until \(Self.clock(lockEndTime))"
    case "unfolded": return "locked to \(lock) until unfolded"
    case "focus": return "locked to \(lock) while \(lockApplication) has focus"
    default: return "locked to \(lock)"
    }
  }

  /// The local time of day, "14:05".
  private static func clock(_ unixSeconds: UInt64) -> String {
    var seconds = time_t(clamping: unixSeconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "a time" }
    return "\(parts.tm_hour):\(parts.tm_min < 10 ? "0" : "")\(parts.tm_min)"
  }
}
