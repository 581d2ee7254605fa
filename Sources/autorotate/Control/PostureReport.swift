// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// What one of those that tell of the posture says, as it crosses the bus.
struct PostureReport: Report {
  static let hinge = "hinge"
  static let fields: [ReportField<Self>] = [
    .init("kind", \.kind), .init("name", \.name), .init("driver", \.driver), .init("node", \.node),
    .init("says", \.says), .init("changed", \.changed), .init("counts", \.counts),
  ]

  /// "switch", "keys", "dock", "keyboard", "hand" or "hinge".
  var kind = ""
  /// Of the device, its driver and its node; empty for the hinge.
  var name = ""
  var driver = ""
  var node = ""
  /// A posture, which is "unknown" for nothing.
  var says = ""
  /// Seconds since 1970; 0 if it has not changed since the start.
  var changed: UInt64 = 0
  /// Whether the posture follows it.
  var counts = false

  init() {}

  /// - Parameter unixTime: of a moment, in seconds since 1970.
  init(_ testimony: PostureTestimony, unixTime: (Instant) -> UInt64) {
    kind = testimony.input?.kind.rawValue ?? Self.hinge
    name = testimony.input?.name ?? ""
    driver = testimony.input?.driver ?? ""
    node = testimony.input?.node ?? ""
    says = testimony.posture.rawValue
    changed = testimony.changedAt.map(unixTime) ?? 0
    counts = testimony.isUsed
  }

  /// What tells, for people.
  var title: Phrase {
    switch kind {
    case Self.hinge: "the hinge's angle"
    case PostureWitness.Kind.hand.rawValue: "a command"
    default: "“\(name)”"
    }
  }
}
