// SPDX-License-Identifier: MIT

import Autorotation

/// The layout before and after a rotation of some outputs.
struct LayoutChange: Equatable {
  enum Goal {
    case after, before
  }

  /// What keeps its upper left corner.
  enum Anchor {
    case rotatedOutputs
    case layout
    /// The layout has to begin at 0,0.
    case origin
  }

  /// The outputs that are rotated.
  let names: [String]
  let before: [CompositorOutput]
  let after: [CompositorOutput]

  /// Computes the new layout, if it is possible.
  /// - Parameters:
  ///   - outputs: all, part of the layout or not.
  ///   - absent: disconnected outputs, at the places where they come back.
  ///   - switchedOff: the failure for an output that is not part of the layout.
  /// - Throws: why they cannot be rotated.
  init(
    _ rotations: [PanelRotation], among outputs: [CompositorOutput], absent: [CompositorOutput] = [],
    visited: ArrangementHistory, keepingCornerOf anchor: Anchor, switchedOff: (String) -> Message
  ) throws(Message) {
    let names = rotations.map(\.output)
    for name in names {
      guard let output = outputs[name] else {
        throw .noSuchOutput(name, among: outputs.map(\.name).filter { !$0.isEmpty })
      }
      guard output.isActive else { throw switchedOff(name) }
      guard output.hasPower else { throw .isBlanked(name) }
    }
    let laid = outputs.filter { $0.isActive && (!$0.isMirror || names.contains($0.name)) }
    self.init(
      rotations, of: laid + absent.filter { laid[$0.name] == nil }, visited: visited, keepingCornerOf: anchor)
  }

  /// An output of unknown size keeps its place. If a rotated one has no size, or there are too
  /// many outputs, all keep their places.
  private init(
    _ rotations: [PanelRotation], of outputs: [CompositorOutput], visited: ArrangementHistory,
    keepingCornerOf anchor: Anchor
  ) {
    let names = rotations.map(\.output)
    var after = outputs
    for index in outputs.indices {
      after[index].rotation =
        rotations.last { $0.output == outputs[index].name }?.transform ?? outputs[index].rotation
    }
    let laid = outputs.indices.filter { outputs[$0].hasSize }
    if laid.count <= ScreenLayout.maximumNeighbours,
      outputs.allSatisfy({ $0.hasSize || !names.contains($0.name) })
    {
      let displays = laid.map { outputs[$0].placedDisplay }
      let places = Self.places(of: displays, rotating: rotations, visited, anchor)
      for (index, place) in zip(laid, places) { after[index].rectangle = place }
    }
    self.names = names
    self.before = outputs
    self.after = after
  }

  private static func places(
    of displays: [PlacedDisplay], rotating rotations: [PanelRotation], _ visited: ArrangementHistory,
    _ anchor: Anchor
  ) -> [ScreenRectangle] {
    guard anchor == .layout else {
      return visited.places(of: displays, rotating: rotations, atOrigin: anchor == .origin)
    }
    let corner = ScreenRectangle(around: displays.map(\.rectangle))
    let moved = displays.map { $0.moved(to: $0.rectangle.offset(x: -corner.x, y: -corner.y)) }
    return visited.places(of: moved, rotating: rotations).map { $0.offset(x: corner.x, y: corner.y) }
  }

  func outputs(_ goal: Goal) -> [CompositorOutput] { goal == .after ? after : before }

  /// Whether others have to move.
  var movesNeighbours: Bool {
    zip(before, after).contains { (names.count > 1 || $0.name != names[0]) && !$0.isPlaced(like: $1) }
  }

  /// Each output with its target and its current state. One that is gone or off cannot be wrong.
  func pairs(
    _ goal: Goal, in now: [CompositorOutput]
  ) -> [(target: CompositorOutput, now: CompositorOutput)] {
    outputs(goal).compactMap { target in
      now.first { $0.isSame(as: target) && $0.isActive }.map { (target, $0) }
    }
  }

  /// The target states that are not reached yet.
  func unmet(_ goal: Goal, in now: [CompositorOutput]) -> [CompositorOutput] {
    pairs(goal, in: now).filter { !$0.isRotated(like: $1) || !$0.isPlaced(like: $1) }.map(\.target)
  }

  /// The target states whose transform is not reached, whatever their position.
  func unrotated(_ goal: Goal, in now: [CompositorOutput]) -> [CompositorOutput] {
    pairs(goal, in: now).filter { !$0.isRotated(like: $1) }.map(\.target)
  }

  /// The outputs as if this change had never been requested: what it changed is as before.
  func undone(in now: [CompositorOutput]) -> [CompositorOutput] {
    let changed = zip(before, after).filter { $0 != $1 }
    return now.map { output in
      let change = changed.first { $1.isSame(as: output) }
      guard let (old, new) = change, new.isRotated(like: output), new.isPlaced(like: output) else {
        return output
      }
      return old
    }
  }
}
