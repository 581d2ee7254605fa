// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Glibc
import Language
import System

/// A `Status` as it is sent over the bus: strings, where "" means none.
struct StatusReport: Equatable {
  var device = DeviceOrientation.unknown.rawValue
  /// The screen orientation.
  var orientation = InterfaceOrientation.normal.word
  /// "landscape" or "portrait": the panel's normal orientation.
  var natural = ""
  /// The locked orientation.
  var lock = ""
  /// The word of a `LockEnd`.
  var lockEnd = ""
  /// Seconds since 1970; 0 where no time ends the lock.
  var lockEndTime: UInt64 = 0
  /// The application whose loss of focus ends the lock.
  var lockApplication = ""
  var isPaused = false
  var allowed: [String] = []
  var posture = Posture.unknown.rawValue
  /// The readings that the posture is derived from.
  var postureEvidence: [PostureReport] = []
  var sensor = ""
  /// "searching", "active", "asleep" or "lost".
  var sensorState = "searching"
  /// The first of the outputs that rotate.
  var output = ""
  /// All of them.
  var outputs: [String] = []
  var application = ""
  /// The rotation that is suggested to the user.
  var suggestion = ""
  /// Sentences, in English.
  var reasons: [String] = []
  /// The same in the daemon's language; empty if that is English.
  var localReasons: [String] = []
  /// The same for scripts: a `Message.Code` of each.
  var reasonCodes: [String] = []

  /// For the user.
  var sentences: [String] { localReasons.isEmpty ? reasons : localReasons }

  init() {}

  /// - Parameter unixTime: of a moment, in seconds since 1970.
  init(_ status: Status, unixTime: (Instant) -> UInt64 = { _ in 0 }) {
    device = status.device.rawValue
    orientation = status.interface.word
    natural = status.naturalAspect?.rawValue ?? ""
    isPaused = status.isPaused
    allowed = status.allowed.orientations.map(\.word)
    posture = status.posture.rawValue
    postureEvidence = status.postureEvidence.map { PostureReport($0, unixTime: unixTime) }
    output = status.outputs.first ?? ""
    outputs = status.outputs
    application = status.application ?? ""
    suggestion = status.suggestion?.word ?? ""
    let messages = status.messages
    reasons = messages.map(\.description)
    reasonCodes = messages.map(\.code.rawValue)
    let sentences = messages.map(localized)
    if sentences != reasons { localReasons = sentences }
    note(status.sensor)
    if let lock = status.lock { note(lock, unixTime) }
  }

  private mutating func note(_ found: Status.Sensor) {
    switch found {
    case .searching: sensorState = "searching"
    case .lost: sensorState = "lost"
    case .found(let name, let isAsleep):
      sensor = name
      sensorState = isAsleep ? "asleep" : "active"
    }
  }

  private mutating func note(_ held: Lock, _ unixTime: (Instant) -> UInt64) {
    lock = held.orientation.word
    lockEnd = held.end?.word ?? ""
    if case .time(let moment) = held.end { lockEndTime = unixTime(moment) }
    if case .focus(let application) = held.end { lockApplication = application }
  }
}

/// One part of the status: a bus property, its JSON member and its row of text.
struct StatusField: Sendable {
  let property: StatusProperty
  let part: ReportField<StatusReport>
  /// The name and value of its row in the text; there is no row if the value is empty.
  let row: (name: Phrase, words: @Sendable (StatusReport) -> Phrase)

  /// - Parameter name: of its member in JSON; empty if it has none of its own.
  private init<Part: ReportPart>(
    _ property: StatusProperty, _ name: String, _ part: any WritableKeyPath<StatusReport, Part> & Sendable,
    row: Phrase = "", _ words: @escaping @Sendable (StatusReport) -> Phrase = { _ in "" }
  ) {
    self.property = property
    self.part = ReportField(name, part)
    self.row = (row, words)
  }

  static let all: [Self] = [
    Self(.interfaceOrientation, "orientation", \.orientation, row: "Orientation") { "\($0.orientation)" },
    Self(.deviceOrientation, "device", \.device, row: "Device", \.deviceWords),
    Self(.naturalOrientation, "naturalOrientation", \.natural),
    Self(.lock, "lock", \.lock, row: "Lock", \.lockWithUnlockHint),
    Self(.lockEnd, "", \.lockEnd), Self(.lockEndTime, "", \.lockEndTime),
    Self(.lockApplication, "", \.lockApplication),
    Self(.onHold, "onHold", \.isPaused, row: "Rotation", \.pausedWords),
    // `paused` is the usual name, `held` that of 0.1.0.
    Self(.paused, "paused", \.isPaused), Self(.held, "held", \.isPaused),
    Self(.allowed, "allowed", \.allowed, row: "Allowed") { "\($0.allowed.joined(separator: ", "))" },
    Self(.posture, "posture", \.posture, row: "Posture", \.postureWords),
    Self(.postureEvidence, "postureEvidence", \.postureEvidence),
    Self(.sensor, "sensor", \.sensor, row: "Sensor", \.sensorWords), Self(.sensorState, "", \.sensorState),
    Self(.output, "output", \.output, row: "Output", \.outputWords),
    Self(.outputs, "outputs", \.outputs),
    Self(.application, "application", \.application, row: "Application") { "\($0.application)" },
    Self(.suggestion, "suggestion", \.suggestion, row: "Suggestion") { "\($0.suggestion)" },
    Self(.reasons, "reasons", \.reasons), Self(.localReasons, "", \.localReasons),
    Self(.reasonCodes, "reasonCodes", \.reasonCodes),
  ]
}

extension StatusReport {
  /// - Parameter properties: of the daemon; unknown ones are from another version.
  init(_ properties: [String: Value]) {
    for field in StatusField.all {
      if let value = properties[field.property.name] { _ = field.part.set(&self, value) }
    }
  }

  /// Follows the status across restarts of the daemon, until the result is released.
  /// - Parameters:
  ///   - bus: attached to a loop that will run.
  ///   - onChange: called first with the current status, then at each change; once with `nil` when no
  ///     daemon runs, or it has ended.
  @MainActor static func follow(
    on bus: Bus, onChange: @escaping (StatusReport?) -> Void
  ) throws(BusError) -> PropertyFollower {
    try PropertyFollower(of: ControlInterface.target, on: bus) { properties in
      // None without an answer.
      if properties?.isEmpty != true { onChange(properties.map(StatusReport.init)) }
    }
  }

  /// The properties in which two reports differ.
  func changes(from old: StatusReport) -> [String] {
    StatusField.all.filter { $0.part.value(self) != $0.part.value(old) }.map(\.property.name)
  }

  // MARK: For users and scripts

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
  var line: String { ([headline] + sentences.suffix(1)).joined(separator: " · ") }

  /// "left · device left-up · unlocked"
  var headline: String {
    let hold = isPaused ? [localized("paused")] : []
    return ([orientation, localized("device \(deviceWords)"), localized(lockWords)] + hold).joined(
      separator: " · ")
  }

  /// For a bar or a tray.
  var tooltip: String { ([headline] + sentences).joined(separator: "\n") }

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

  /// A sensor that is asleep is not read, since nothing needs it.
  var deviceWords: Phrase {
    sensorState == "asleep" ? "not read while not needed" : Phrase(word: device)
  }

  var sensorWords: Phrase {
    let state = Phrase(word: sensorState)
    guard sensor.isEmpty else { return "\(sensor) (\(state))" }
    return sensorState == "lost" ? "none" : state
  }

  /// With the command that unlocks.
  var lockWithUnlockHint: Phrase { lock.isEmpty ? lockWords : "\(lockWords); \(Self.unlockHint)" }

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

  /// The local time of day, "14:05"; with seconds within the next minutes. On another day with its date,
  /// "2026-11-29 14:05", which is the same in every language.
  static func clock(_ unixSeconds: UInt64, now: time_t = time(nil)) -> String {
    let seconds = time_t(clamping: unixSeconds)
    guard let parts = localTime(seconds), let today = localTime(now) else { return localized("a time") }
    let words = [parts.tm_min] + (0..<300 ~= seconds - now ? [parts.tm_sec] : [])
    let clock = words.reduce("\(parts.tm_hour)") { "\($0):\(twoDigits($1))" }
    guard parts.tm_year != today.tm_year || parts.tm_yday != today.tm_yday else { return clock }
    return "\(Int(parts.tm_year) + 1900)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday)) \(clock)"
  }

  private static func localTime(_ seconds: time_t) -> tm? {
    var seconds = seconds
    var parts = tm()
    return localtime_r(&seconds, &parts) == nil ? nil : parts
  }

  private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Phrase {
  /// A word from the bus, for the user. Orientations are not translated, since they are typed in commands.
  init(word: String) { self = Self.words[word] ?? Self(verbatim: word) }

  private static let words: [String: Phrase] = Dictionary(
    uniqueKeysWithValues: (states + Posture.allCases.map(\.words)).map { ($0.description, $0) })
  private static let states: [Phrase] = ["searching", "active", "asleep", "lost"]
}
