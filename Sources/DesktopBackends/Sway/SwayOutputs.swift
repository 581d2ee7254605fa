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
  /// Where outputs lie that we have placed, and those that are switched off: sway puts them there again when they come
  /// back, so that they are placed along with those that are lit.
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
    keepPlaces(in: found)
    self.found = found
  }

  private mutating func keepPlaces(in found: [SwayOutput]) {
    let before = (self.found ?? []).filter(\.isActive)
    for output in found {
      let earlier = before.first { $0.name == output.name }
      if let earlier, !output.isActive, placed[output.name] == nil { placed[output.name] = earlier.rectangle }
      if let earlier, output.isActive { makeRoom(beside: earlier, nowAt: output.rectangle) }
    }
    for output in found where output.isActive && placed[output.name] != nil {
      placed[output.name] = output.rectangle
    }
  }

  /// Others have turned an output, and thought of those that are lit at most.
  private mutating func makeRoom(beside output: SwayOutput, nowAt new: ScreenRectangle) {
    let old = output.rectangle
    guard (old.width, old.height) != (new.width, new.height) else { return }
    let lit = (found ?? []).filter(\.isActive)
    let away = placed.filter { place in !lit.contains { $0.name == place.key } }.sorted { $0.key < $1.key }
    let tiles = lit.map { ($0.name, $0.rectangle) } + away.map { ($0.key, $0.value) }
    guard !away.isEmpty, let index = lit.firstIndex(of: output) else { return }
    let places = visited.places(of: tiles, resizing: index, width: new.width, height: new.height)
    for (each, place) in zip(tiles, places).dropFirst(lit.count) { placed[each.0] = place }
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
