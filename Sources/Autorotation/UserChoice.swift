// SPDX-License-Identifier: MIT

/// What restricts the allowed orientations: the rule of the focused application, or a request by its number.
enum Restriction: Hashable, Sendable {
  case rule(source: String)
  case request(UInt32)
}

/// What the user chose by hand, without a lock.
struct UserChoice: Sendable {
  /// The orientation that is kept while auto-rotation is paused.
  var paused: InterfaceOrientation?
  /// The orientation asked for, until the device is rotated.
  var asked: InterfaceOrientation?
  /// The restrictions when `asked` was set. `asked` ends when any of them ends.
  var askedWithin: Set<Restriction> = []
  /// The last orientation that no application caused.
  var baseline = InterfaceOrientation.normal
}

extension Autorotator {
  /// Whether the user has set the orientation, by a lock, a pause or a command.
  var isChosen: Bool { locking.lock != nil || choice.paused != nil || choice.asked != nil }

  var restrictions: Set<Restriction> {
    var all = Set(applications.activeRequests.map { Restriction.request($0.id) })
    if let rule = focusedRule, rule.supported != nil || !rule.autoRotate {
      all.insert(.rule(source: rule.source))
    }
    return all
  }

  /// An orientation chosen among the few that an application allowed was meant for that application.
  mutating func dropRequestMadeForAnotherApp() {
    guard choice.asked != nil, !choice.askedWithin.isSubset(of: restrictions) else { return }
    choice.asked = nil
  }
}
