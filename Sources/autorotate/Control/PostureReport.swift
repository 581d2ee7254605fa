// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// What one of those that tell of the posture says, as it crosses the bus.
struct PostureReport: Equatable {
  static let type = "(ssssstb)"
  static let hinge = "hinge"

  /// "switch", "keys", "dock", "keyboard", "hand" or "hinge".
  var kind: String
  /// Of the device, its driver and its node; empty for the hinge.
  var name = ""
  var driver = ""
  var node = ""
  /// A posture, which is "unknown" for nothing.
  var says: String
  /// Seconds since 1970; 0 if it has not changed since the start.
  var changed: UInt64 = 0
  /// Whether the posture follows it.
  var counts: Bool

  /// - Parameter unixTime: of a moment, in seconds since 1970.
  init(_ testimony: PostureTestimony, unixTime: (Instant) -> UInt64) {
    kind = testimony.witness?.kind.rawValue ?? Self.hinge
    name = testimony.witness?.name ?? ""
    driver = testimony.witness?.driver ?? ""
    node = testimony.witness?.node ?? ""
    says = testimony.says.rawValue
    changed = testimony.changedAt.map(unixTime) ?? 0
    counts = testimony.counts
  }

  var value: Value {
    .structure([kind, name, driver, node, says].map(Value.string) + [.uint64(changed), .bool(counts)])
  }

  var json: JSON {
    .object([
      ("kind", .string(kind)), ("name", .optional(name)), ("driver", .optional(driver)),
      ("node", .optional(node)),
      ("says", .string(says)), ("changed", changed == 0 ? .null : .number(changed)),
      ("counts", .bool(counts)),
    ])
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

extension PostureReport: ReadableFromBus {
  init?(_ value: Value) {
    guard case .structure(let members) = value, let kind = try? members.read(0, as: String.self),
      let name = try? members.read(1, as: String.self), let driver = try? members.read(2, as: String.self),
      let node = try? members.read(3, as: String.self), let says = try? members.read(4, as: String.self),
      let changed = try? members.read(5, as: UInt64.self), let counts = try? members.read(6, as: Bool.self)
    else { return nil }
    (self.kind, self.name, self.driver, self.node) = (kind, name, driver, node)
    (self.says, self.changed, self.counts) = (says, changed, counts)
  }
}
