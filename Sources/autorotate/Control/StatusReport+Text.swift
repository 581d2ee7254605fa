// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Glibc
import Language

extension StatusReport {
  /// One line of JSON, for bars and scripts. `null` means none.
  var json: String {
    JSON.object(
      StatusField.all.filter { !$0.part.name.isEmpty }.map { field in
        (field.part.name, parts(of: field.property) ?? field.part.json(self))
      }
    ).description
  }

  /// Several properties that are one member together.
  private func parts(of property: StatusProperty) -> JSON? {
    switch property {
    case .sensor: .object([("name", sensor.json), ("state", .string(sensorState))])
    case .lock where !lock.isEmpty:
      .object([
        ("orientation", lock.json), ("end", lockEnd.json), ("endTime", lockEndTime.json),
        ("application", lockApplication.json),
      ])
    default: nil
    }
  }

  /// "left · device left-up · unlocked · Device orientation: left-up."
  var line: String {
    ([headline] + sentences.suffix(1)).joined(separator: " · ")
  }

  /// "left · device left-up · unlocked"
  var headline: String {
    let hold = isPaused ? [localized("paused")] : []
    return ([orientation, localized("device \(Phrase(word: device))"), localized(lockWords)] + hold).joined(
      separator: " · ")
  }

  /// For the user, in several lines, without a newline at the end.
  var text: String {
    let rows = StatusField.all.map { (localized($0.row.name), localized($0.row.words(self))) }
    let width = 2 + (rows.map(\.0.columns).max() ?? 0)
    let set = rows.filter { !$1.isEmpty }.map { name, value in name.padded(to: width) + value }
    guard !reasons.isEmpty else { return set.joined(separator: "\n") }
    return (set + [localized("Reasons")] + sentences.map { "  \($0)" }).joined(separator: "\n")
  }

  var panelAspect: PanelAspect? { PanelAspect(rawValue: natural) }

  /// "landscape", for sentences.
  var orientationName: Phrase { name(of: orientation) }

  /// - Parameter word: an orientation's, as commands use it.
  func name(of word: String) -> Phrase {
    InterfaceOrientation(word: word)?.name(on: panelAspect) ?? Phrase(verbatim: word)
  }

  var outputWords: Phrase {
    output.isEmpty ? "none" : "\((outputs.isEmpty ? [output] : outputs).joined(separator: ", "))"
  }

  var postureWords: Phrase {
    let words = Phrase(word: posture)
    return postureEvidence.first(where: \.counts).map { "\(words), reported by \($0.title)" } ?? words
  }

  var sensorWords: Phrase {
    let state = Phrase(word: sensorState)
    guard sensor.isEmpty else { return "\(sensor) (\(state))" }
    return sensorState == "lost" ? "none" : state
  }

  /// With the command that unlocks.
  var lockWithUnlockHint: Phrase {
    lock.isEmpty ? lockWords : "\(lockWords); \(Self.unlockHint)"
  }

  /// With the command that resumes.
  var pausedWords: Phrase { isPaused ? "paused; \(Self.resumeHint)" : "" }

  /// How to end what the user has chosen: a pause, or else a lock.
  var nextStep: Phrase? { isPaused ? Self.resumeHint : lock.isEmpty ? nil : Self.unlockHint }

  private static let unlockHint: Phrase = "to unlock: autorotate unlock"
  private static let resumeHint: Phrase = "to resume: autorotate resume"

  var lockWords: Phrase {
    guard !lock.isEmpty else { return "unlocked" }
    let name = name(of: lock)
    switch LockEnd(word: lockEnd, time: lockEndTime, application: lockApplication) {
    case .time(let seconds): return "locked (\(name)) until \(Self.clock(seconds))"
    case .unfolded: return "locked (\(name)) until unfolded"
    case .focus(let application): return "locked (\(name)) while \(application) has focus"
    case nil: return "locked (\(name))"
    }
  }

  /// The local time of day, "14:05"; with seconds within the next minutes.
  static func clock(_ unixSeconds: UInt64, now: time_t = time(nil)) -> String {
    var seconds = time_t(clamping: unixSeconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return localized("a time") }
    let words = [Int(parts.tm_min)] + (0..<300 ~= seconds - now ? [Int(parts.tm_sec)] : [])
    return words.reduce("\(parts.tm_hour)") { "\($0):\($1 < 10 ? "0" : "")\($1)" }
  }
}

extension Phrase {
  /// A word from the bus, for the user. Orientations are not translated, since they are typed in commands.
  init(word: String) {
    self = Self.words[word] ?? Self(verbatim: word)
  }

  private static let words: [String: Phrase] = Dictionary(
    uniqueKeysWithValues: (states + Posture.allCases.map(\.words)).map { ($0.description, $0) })
  private static let states: [Phrase] = ["searching", "active", "asleep", "lost"]
}
