// SPDX-License-Identifier: MIT

/// Outputs besides the panels that a person has turned, by name: they stay so over restart and hot-plug.
struct KeptTurns: Sendable {
  /// A display system that does not do it three times will not.
  private static let mostAttempts = 3

  private(set) var orientations: [String: InterfaceOrientation]
  /// What the display system was asked for and has not answered yet.
  private var underWay: [String: PanelTurn] = [:]
  /// Since the person asked, or the displays became others.
  private var attempts: [String: Int] = [:]

  init(_ orientations: [String: InterfaceOrientation]) {
    self.orientations = orientations
  }

  var names: [String] { orientations.keys.sorted() }

  func isUnderWay(_ name: String) -> Bool { underWay[name] != nil }

  mutating func set(_ name: String, to orientation: InterfaceOrientation) {
    orientations[name] = orientation
    attempts[name] = nil
  }

  mutating func tryAgain() {
    attempts = [:]
  }

  /// - Returns: whether there is something to ask the display system for.
  mutating func begin(_ turn: PanelTurn) -> Bool {
    guard underWay[turn.output] == nil, attempts[turn.output, default: 0] < Self.mostAttempts else {
      return false
    }
    underWay[turn.output] = turn
    attempts[turn.output, default: 0] += 1
    return true
  }

  /// - Returns: whether that was what is under way.
  mutating func finish(_ turn: PanelTurn) -> Bool {
    guard underWay[turn.output] == turn else { return false }
    underWay[turn.output] = nil
    return true
  }

  /// Whether nothing more is tried.
  func isGivenUp(_ name: String) -> Bool { attempts[name, default: 0] >= Self.mostAttempts }

  /// An output that is upright again is like any other.
  mutating func forgetUpright(_ name: String) -> Bool {
    guard orientations[name] == .normal else { return false }
    orientations[name] = nil
    return true
  }
}
