// SPDX-License-Identifier: MIT

import Autorotation

/// The outputs as sway told them last, and what has to be remembered of them for turning.
struct SwayOutputs {
  private(set) var found: [SwayOutput]?
  /// Whether sway tells when they change; before 1.9 it does not, and is asked before each turn.
  var areFollowed = false
  /// Outputs that took a turn and did nothing, with what takes it back. Before 1.9, and without a screen, it is the
  /// only sign that they are dark.
  private var unheeding: [String: String] = [:]
  /// Where we put outputs, that sway puts them again when they come back.
  private var placed: [String: ScreenRectangle] = [:]
  private var visited = VisitedArrangements()

  var outputs: [Output] {
    (found ?? []).map { each in
      var output = each.output
      if unheeding[each.name] != nil { output.isActive = false }
      return output
    }
  }

  var knowledge: SwayRotation.Knowledge {
    .init(outputs: areFollowed ? found : nil, absent: placed, visited: visited)
  }

  mutating func take(_ found: [SwayOutput]) {
    // Whatever sway kept for them it has done now.
    if found != self.found { unheeding = [:] }
    self.found = found
    for output in found where output.isActive && placed[output.name] != nil {
      placed[output.name] = output.rectangle
    }
  }

  mutating func take(_ outcome: SwayRotation.Outcome, of output: String) {
    found = outcome.outputs
    guard case .success = outcome.result else {
      if outcome.isUnheeded, !areFollowed { unheeding[output] = outcome.undoing }
      return
    }
    placed.merge(outcome.places) { _, new in new }
  }

  /// Something has happened: what is dark may be lit.
  /// - Returns: what is to be said to sway so that it does not do what it was told before.
  mutating func forgetUnheeding() -> [String] {
    defer { unheeding = [:] }
    return unheeding.values.filter { !$0.isEmpty }
  }

  /// sway has forgotten what it was told.
  mutating func configurationWasRead() {
    placed = [:]
    unheeding = [:]
    visited = VisitedArrangements()
  }
}
