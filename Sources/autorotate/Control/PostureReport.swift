// SPDX-License-Identifier: MIT

import Autorotation
import System

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
