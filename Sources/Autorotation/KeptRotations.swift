// SPDX-License-Identifier: MIT

/// Outputs besides the panels that the user has rotated, by name: they keep it across restart and hot-plug.
struct KeptRotations: Sendable {
  /// A display system that fails three times will not succeed later.
  private static let maximumAttempts = 3

  private(set) var orientations: [String: InterfaceOrientation]
  /// Rotations that the display system has not answered yet.
  private var underWay: [String: PanelRotation] = [:]
  /// Attempts for each output since the user requested its rotation or the displays changed.
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

  /// - Returns: whether to send it to the display system.
  mutating func begin(_ change: PanelRotation) -> Bool {
    guard underWay[change.output] == nil, attempts[change.output, default: 0] < Self.maximumAttempts else {
      return false
    }
    underWay[change.output] = change
    attempts[change.output, default: 0] += 1
    return true
  }

  /// - Returns: whether it was under way.
  mutating func finish(_ change: PanelRotation) -> Bool {
    guard underWay[change.output] == change else { return false }
    underWay[change.output] = nil
    return true
  }

  /// Whether no attempts are left.
  func isGivenUp(_ name: String) -> Bool { attempts[name, default: 0] >= Self.maximumAttempts }

  /// An output that is normal again need not be kept.
  mutating func forgetNormal(_ name: String) -> Bool {
    guard orientations[name] == .normal else { return false }
    orientations[name] = nil
    return true
  }
}
