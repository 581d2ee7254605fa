// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// A `Status` as it is sent over the bus: strings, where "" means none.
struct StatusReport: Equatable {
  /// The device orientation.
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
    Self(.deviceOrientation, "device", \.device, row: "Device") { Phrase(word: $0.device) },
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
  /// Applies the properties; unknown ones are from another version.
  mutating func update(_ properties: [String: Value]) {
    for field in StatusField.all {
      if let value = properties[field.property.name] { _ = field.part.set(&self, value) }
    }
  }

  /// The properties in which two reports differ.
  func changes(from old: StatusReport) -> [String] {
    StatusField.all.filter { $0.part.value(self) != $0.part.value(old) }.map(\.property.name)
  }
}
