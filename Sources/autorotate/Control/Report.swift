// SPDX-License-Identifier: MIT

import Autorotation
import System

/// One part of a report, for the bus and for JSON.
struct ReportField<Report: Sendable>: Sendable {
  /// The name of the member in JSON.
  let name: String
  let type: String
  let value: @Sendable (Report) -> Value
  let json: @Sendable (Report) -> JSON
  /// - Returns: whether the value has the right type; otherwise the report stays unchanged.
  let set: @Sendable (inout Report, Value) -> Bool

  init<Part: ReportPart>(_ name: String, _ part: any WritableKeyPath<Report, Part> & Sendable) {
    self.name = name
    type = Part.type
    value = { $0[keyPath: part].value }
    json = { $0[keyPath: part].json }
    set = { report, value in
      guard let value = Part(value.unwrapped.printable) else { return false }
      report[keyPath: part] = value
      return true
    }
  }
}

/// A Swift type of a part of a report.
protocol ReportPart: ReadableFromBus, Sendable {
  /// The D-Bus signature.
  static var type: String { get }
  var value: Value { get }
  var json: JSON { get }
}

extension String: ReportPart {
  static var type: String { "s" }
  var value: Value { .string(self) }
  /// `null` means none.
  var json: JSON { .optional(self) }
}

extension Bool: ReportPart {
  static var type: String { "b" }
  var value: Value { .bool(self) }
  var json: JSON { .bool(self) }
}

extension UInt64: ReportPart {
  static var type: String { "t" }
  var value: Value { .uint64(self) }
  var json: JSON { self == 0 ? .null : .number(self) }
}

extension Array: ReportPart where Element: ReportPart {
  static var type: String { "a" + Element.type }
  var value: Value { .array(of: Element.type, map(\.value)) }
  var json: JSON { .array(map(\.json)) }
}

/// A report that is a structure on the bus, and an object in JSON.
protocol Report: ReportPart, Equatable {
  static var fields: [ReportField<Self>] { get }
  init()
}

extension Report {
  static var type: String { "(" + fields.map(\.type).joined() + ")" }
  var value: Value { .structure(Self.fields.map { $0.value(self) }) }
  var json: JSON { .object(Self.fields.map { ($0.name, $0.json(self)) }) }

  init?(_ value: Value) {
    guard case .structure(let members) = value, members.count == Self.fields.count else { return nil }
    self.init()
    for (field, member) in zip(Self.fields, members) where !field.set(&self, member) { return nil }
  }
}

extension Value {
  /// Its texts without control characters: any program on the bus may answer in place of the daemon.
  fileprivate var printable: Value {
    switch self {
    case .string(let text): .string(text.printable(limit: .max))
    case .array(let type, let elements): .array(of: type, elements.map(\.printable))
    case .variant(let inner): .variant(inner.printable)
    // The members of a report are cleaned as they are set.
    default: self
    }
  }
}

/// The reading of one posture sensor, as it is sent over the bus.
struct PostureReport: Report {
  static let hinge = "hinge"
  static let fields: [ReportField<Self>] = [
    .init("kind", \.kind), .init("name", \.name), .init("driver", \.driver), .init("node", \.node),
    .init("says", \.says), .init("changed", \.changed), .init("counts", \.counts),
  ]

  /// "switch", "keys", "dock", "keyboard", "hand" or "hinge".
  var kind = ""
  /// The input device, its driver and its node; empty for the hinge.
  var name = ""
  var driver = ""
  var node = ""
  /// A posture; "unknown" for no reading.
  var says = ""
  /// Seconds since 1970; 0 if it has not changed since the start.
  var changed: UInt64 = 0
  /// Whether the posture is derived from it.
  var counts = false

  init() {}

  /// - Parameter unixTime: of a moment, in seconds since 1970.
  init(_ reading: PostureReading, unixTime: (Instant) -> UInt64) {
    kind = reading.input?.kind.rawValue ?? Self.hinge
    name = reading.input?.name ?? ""
    driver = reading.input?.driver ?? ""
    node = reading.input?.node ?? ""
    says = reading.posture.rawValue
    changed = reading.changedAt.map(unixTime) ?? 0
    counts = reading.isUsed
  }

  /// The sensor's name, for the user.
  var title: Phrase {
    switch kind {
    case Self.hinge: "the hinge angle"
    case PostureInput.Kind.user.rawValue: "a command"
    default: "“\(name)”"
    }
  }
}
