// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// A `Status` as it crosses the bus: words, where "" stands for nothing.
struct StatusReport: Equatable {
  /// How the device is held.
  var device = DeviceOrientation.unknown.rawValue
  /// Which way up the picture stands.
  var orientation = InterfaceOrientation.normal.word
  /// The locked orientation.
  var lock = ""
  /// What ends the lock by itself: "time", "unfolded" or "focus".
  var lockEnd = ""
  /// Seconds since 1970; 0 where no time ends the lock.
  var lockEndTime: UInt64 = 0
  /// The application whose loss of focus ends the lock.
  var lockApplication = ""
  var isOnHold = false
  var allowed: [String] = []
  var posture = Posture.unknown.rawValue
  /// All that tells of it.
  var postureEvidence: [PostureReport] = []
  var sensor = ""
  /// "searching", "active", "asleep" or "lost".
  var sensorState = "searching"
  /// The first of those that turn.
  var output = ""
  /// All of them.
  var outputs: [String] = []
  var application = ""
  /// The turn that is offered to the person.
  var suggestion = ""
  /// Sentences, in English.
  var reasons: [String] = []
  /// The same for people, in the daemon's language; empty where that is English.
  var localReasons: [String] = []
  /// The same for scripts: a `Message.Code` of each.
  var reasonCodes: [String] = []

  /// For people.
  var sentences: [String] { localReasons.isEmpty ? reasons : localReasons }

  init() {}

  /// - Parameter unixTime: of a moment, in seconds since 1970.
  init(_ status: Status, unixTime: (Instant) -> UInt64 = { _ in 0 }) {
    device = status.device.rawValue
    orientation = status.interface.word
    isOnHold = status.isOnHold
    allowed = status.allowed.orientations.map(\.word)
    posture = status.posture.rawValue
    postureEvidence = status.postureEvidence.map { PostureReport($0, unixTime: unixTime) }
    output = status.outputs.first ?? ""
    outputs = status.outputs
    application = status.application ?? ""
    suggestion = status.suggestion?.word ?? ""
    let messages = status.reasons.map(\.message)
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
    switch held.end {
    case nil: break
    case .at(let moment):
      lockEnd = "time"
      lockEndTime = unixTime(moment)
    case .unfolded: lockEnd = "unfolded"
    case .whileFocused(let application):
      lockEnd = "focus"
      lockApplication = application
    }
  }
}

/// One property of the bus interface and the part of the report that it carries.
struct StatusField {
  let property: String
  let type: String
  let value: (StatusReport) -> Value
  /// Takes a value over into the report; one of another type leaves it as it is.
  let set: (inout StatusReport, Value) -> Void

  private init<T: ReadableFromBus>(
    _ property: String, _ type: String, _ part: WritableKeyPath<StatusReport, T>,
    _ wrap: @escaping (T) -> Value
  ) {
    self.property = property
    self.type = type
    value = { wrap($0[keyPath: part]) }
    set = { report, value in
      if let value = T(value.unwrapped) { report[keyPath: part] = value }
    }
  }

  @MainActor static let all: [Self] = [
    Self("DeviceOrientation", "s", \.device, Value.string),
    Self("InterfaceOrientation", "s", \.orientation, Value.string),
    Self("Lock", "s", \.lock, Value.string),
    Self("LockEnd", "s", \.lockEnd, Value.string),
    Self("LockEndTime", "t", \.lockEndTime, Value.uint64),
    Self("LockApplication", "s", \.lockApplication, Value.string),
    Self("OnHold", "b", \.isOnHold, Value.bool),
    // The same: what 0.1.0 called it.
    Self("Held", "b", \.isOnHold, Value.bool),
    Self("Allowed", "as", \.allowed, Value.strings),
    Self("Posture", "s", \.posture, Value.string),
    Self("PostureEvidence", "a" + PostureReport.type, \.postureEvidence) {
      .array(of: PostureReport.type, $0.map(\.value))
    },
    Self("Sensor", "s", \.sensor, Value.string),
    Self("SensorState", "s", \.sensorState, Value.string),
    Self("Output", "s", \.output, Value.string),
    Self("Outputs", "as", \.outputs, Value.strings),
    Self("Application", "s", \.application, Value.string),
    Self("Suggestion", "s", \.suggestion, Value.string),
    Self("Reasons", "as", \.reasons, Value.strings),
    Self("LocalReasons", "as", \.localReasons, Value.strings),
    Self("ReasonCodes", "as", \.reasonCodes, Value.strings),
  ]
}

@MainActor extension StatusReport {
  /// Takes over what the properties say; unknown ones are those of another version.
  mutating func update(_ properties: [String: Value]) {
    for field in StatusField.all {
      if let value = properties[field.property] { field.set(&self, value) }
    }
  }

  /// The properties in which two reports differ.
  func changes(from old: StatusReport) -> [String] {
    StatusField.all.filter { $0.value(self) != $0.value(old) }.map(\.property)
  }
}
