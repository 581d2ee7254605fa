// SPDX-License-Identifier: MIT

/// Which turns a person is asked to confirm: a driver that shows black after a turn leaves nobody a way back.
package enum ConfirmTurns: String, CaseIterable, Sendable {
  /// The first turn of an output, and each one by hand to what it never showed.
  case first
  /// Those, and each one by hand.
  case always
  case never
}

/// A turn that is taken back unless a person keeps it.
package struct Trial: Equatable, Sendable {
  /// Those that were turned.
  package var outputs: [String]
  package var to: InterfaceOrientation
  /// What it goes back to.
  package var back: InterfaceOrientation
  /// How long the person has to answer. Desktops give some seconds more after a change of their display settings, but
  /// who has just turned the device looks at it.
  package static let patience = Duration.seconds(10)

  /// Distinguishes it from another trial of the same turn.
  package var number: UInt64

  package init(
    outputs: [String], to: InterfaceOrientation, back: InterfaceOrientation, number: UInt64 = 0
  ) {
    self.outputs = outputs
    self.to = to
    self.back = back
    self.number = number
  }
}

/// What outputs have been seen to show, and the turn on trial.
///
///     turned ── the person is asked ──▶ asked ── kept ──▶ proven, not asked again
///         └── nobody can be asked       └── refused, or 10 s ──▶ turned back
///             ──▶ stays, not proven
struct Trials: Sendable {
  private(set) var proven: [String: Set<InterfaceOrientation>]
  private(set) var pending: Trial?
  /// When it is taken back; `nil` while nobody has been asked.
  private(set) var due: Instant?
  /// The turn that was taken back, until the device turns or the person asks for something.
  var takenBack: Trial?
  /// What the person has just asked for by hand, of the panels and of other outputs by name.
  var byHand: InterfaceOrientation?
  var byHandElsewhere: [String: InterfaceOrientation] = [:]
  private var count: UInt64 = 0

  init(_ proven: [String: Set<InterfaceOrientation>]) {
    self.proven = proven
  }

  /// What an output shows when it is first seen is no trial.
  mutating func see(_ output: String, showing orientation: InterfaceOrientation) {
    if proven[output] == nil { proven[output] = [orientation] }
  }

  /// - Returns: whether that is news.
  mutating func prove(_ orientation: InterfaceOrientation, on outputs: [String]) -> Bool {
    outputs.map { proven[$0, default: []].insert(orientation).inserted }.contains(true)
  }

  func isNew(
    _ orientation: InterfaceOrientation, on outputs: [String], isByHand: Bool, _ confirm: ConfirmTurns
  ) -> Bool {
    guard confirm != .never else { return false }
    let hasNeverTurned = outputs.contains { proven[$0, default: []].count < 2 }
    let isUnseen = outputs.contains { !proven[$0, default: []].contains(orientation) }
    return isUnseen && (hasNeverTurned || isByHand) || isByHand && confirm == .always
  }

  /// Puts a turn on trial instead of the one before.
  mutating func begin(on outputs: [String], to: InterfaceOrientation, back: InterfaceOrientation) -> Trial {
    count += 1
    let trial = Trial(outputs: outputs, to: to, back: back, number: count)
    pending = trial
    due = nil
    return trial
  }

  /// The person has been asked, and has time to answer from now on.
  mutating func asked(about trial: Trial, at now: Instant) {
    if trial == pending, due == nil { due = now + Trial.patience }
  }

  mutating func end() {
    pending = nil
    due = nil
  }
}
