// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Glibc
import Language

extension StatusReport {
  /// One line of JSON, for bars and scripts. `null` stands for nothing.
  var json: String {
    JSON.object([
      ("orientation", .string(orientation)),
      ("device", .string(device)),
      ("lock", lockJSON),
      ("onHold", .bool(isOnHold)),
      // The same: what 0.1.0 called it.
      ("held", .bool(isOnHold)),
      ("allowed", .array(allowed.map(JSON.string))),
      ("posture", .string(posture)),
      ("postureEvidence", .array(postureEvidence.map(\.json))),
      ("sensor", .object([("name", .optional(sensor)), ("state", .string(sensorState))])),
      ("output", .optional(output)),
      ("outputs", .array(outputs.map(JSON.string))),
      ("application", .optional(application)),
      ("suggestion", .optional(suggestion)),
      ("reasons", .array(reasons.map(JSON.string))),
      ("reasonCodes", .array(reasonCodes.map(JSON.string))),
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
    ([headline] + sentences.suffix(1)).joined(separator: " · ")
  }

  /// "left · device left-up · unlocked"
  var headline: String {
    let hold = isOnHold ? [localized("on hold")] : []
    return ([orientation, localized("device \(Phrase(word: device))"), localized(lockWords)] + hold).joined(
      separator: " · ")
  }

  /// For a person, over several lines, without a newline at the end.
  var text: String {
    let rows = rows.map { (localized($0), localized($1)) }
    let width = 2 + (rows.map(\.0.columns).max() ?? 0)
    let set = rows.filter { !$1.isEmpty }.map { name, value in name.padded(to: width) + value }
    guard !reasons.isEmpty else { return set.joined(separator: "\n") }
    return (set + [localized("Because")] + sentences.map { "  \($0)" }).joined(separator: "\n")
  }

  private var rows: [(Phrase, Phrase)] {
    [
      ("Orientation", "\(orientation)"), ("Device", Phrase(word: device)), ("Lock", lockAndKey),
      ("Rotation", isOnHold ? "on hold" : ""), ("Allowed", "\(allowed.joined(separator: ", "))"),
      ("Posture", postureWords), ("Sensor", sensorWords),
      (
        "Output",
        output.isEmpty ? "none" : "\((outputs.isEmpty ? [output] : outputs).joined(separator: ", "))"
      ),
      ("Application", "\(application)"), ("Suggestion", "\(suggestion)"),
    ]
  }

  var postureWords: Phrase {
    let words = Phrase(word: posture)
    return postureEvidence.first(where: \.counts).map { "\(words), as \($0.title) says" } ?? words
  }

  private var sensorWords: Phrase {
    let state = Phrase(word: sensorState)
    return sensor.isEmpty ? state : "\(sensor) (\(state))"
  }

  /// With the way out.
  private var lockAndKey: Phrase {
    lock.isEmpty ? lockWords : "\(localized(lockWords)); to unlock: autorotate unlock"
  }

  var lockWords: Phrase {
    guard !lock.isEmpty else { return "unlocked" }
    switch lockEnd {
    case "time": return "locked to \(lock) until \(Self.clock(lockEndTime))"
    case "unfolded": return "locked to \(lock) until unfolded"
    case "focus": return "locked to \(lock) while \(lockApplication) has focus"
    default: return "locked to \(lock)"
    }
  }

  /// The local time of day, "14:05".
  static func clock(_ unixSeconds: UInt64) -> String {
    var seconds = time_t(clamping: unixSeconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return localized("a time") }
    return "\(parts.tm_hour):\(parts.tm_min < 10 ? "0" : "")\(parts.tm_min)"
  }
}

extension Phrase {
  /// A word of the bus, for a person. Orientations are the same in every language, as they are typed.
  init(word: String) {
    self = Self.words[word] ?? Self(verbatim: word)
  }

  private static let words: [String: Phrase] = Dictionary(
    uniqueKeysWithValues: (states + Posture.allCases.map(\.words)).map { ($0.description, $0) })
  private static let states: [Phrase] = ["searching", "active", "asleep", "lost"]
}
