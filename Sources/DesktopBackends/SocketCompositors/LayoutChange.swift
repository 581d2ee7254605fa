// SPDX-License-Identifier: MIT

import Autorotation

/// The layout before and after a rotation of some outputs.
struct LayoutChange: Equatable {
  enum Goal {
    case after, before
  }

  /// The outputs that are rotated.
  let names: [String]
  let before: [CompositorOutput]
  let after: [CompositorOutput]

  /// Computes the new layout.
  /// - Parameter absent: disconnected outputs, at the places where they come back.
  init(
    _ turns: [PanelRotation], among outputs: [CompositorOutput], absent: [CompositorOutput] = [],
    visited: VisitedArrangements, _ profile: CompositorProfile
  ) throws(Message) {
    for turn in turns { try Self.check(turn.output, among: outputs, profile) }
    let names = turns.map(\.output)
    let laid = outputs.filter { $0.isActive && (!$0.isMirror || names.contains($0.name)) }
    let away = absent.filter { one in !laid.contains { $0.name == one.name } }
    guard laid.count + away.count <= ScreenLayout.mostNeighbours else { throw .tooMany(laid.count, profile) }
    let all = laid + away
    let places = visited.places(of: all.map(\.laidDisplay), rotating: turns, atOrigin: false)
    self.names = names
    before = all
    after = zip(all, places).map { each, place in
      var target = each
      target.rectangle = place
      target.turn = turns.last { $0.output == each.name }?.transform ?? each.turn
      return target
    }
  }

  private static func check(
    _ name: String, among outputs: [CompositorOutput], _ profile: CompositorProfile
  ) throws(Message) {
    guard let output = outputs.first(where: { $0.name == name }) else {
      throw .noSuchOutput(name, among: outputs.map(\.name))
    }
    guard output.isActive else { throw .switchedOff(name, profile) }
    guard output.hasPower else { throw .isDark(name) }
    guard !name.contains(where: profile.isForbiddenInName) else { throw .unsafeName(name, profile) }
  }

  func outputs(_ goal: Goal) -> [CompositorOutput] { goal == .after ? after : before }

  /// Whether others have to move.
  var movesNeighbours: Bool {
    zip(before, after).contains { (names.count > 1 || $0.name != names[0]) && !$0.isPlaced(like: $1) }
  }

  /// The target states that are not reached yet. An output that is gone cannot be wrong.
  func unmet(_ goal: Goal, in now: [CompositorOutput]) -> [CompositorOutput] {
    wrong(goal, in: now) { $0.isRotated(like: $1) && $0.isPlaced(like: $1) }
  }

  /// The target states whose transform is not reached, whatever their position.
  func unrotated(_ goal: Goal, in now: [CompositorOutput]) -> [CompositorOutput] {
    wrong(goal, in: now) { $0.isRotated(like: $1) }
  }

  private func wrong(
    _ goal: Goal, in now: [CompositorOutput], _ isRight: (CompositorOutput, CompositorOutput) -> Bool
  ) -> [CompositorOutput] {
    outputs(goal).filter { target in
      now.first { $0.name == target.name && $0.isActive }.map { !isRight(target, $0) } ?? false
    }
  }

  /// The outputs as if this change had never been requested: what it changed is as before.
  func undone(in now: [CompositorOutput]) -> [CompositorOutput] {
    let changed = zip(before, after).filter { $0 != $1 }
    return now.map { output in
      let change = changed.first { $1.name == output.name }
      guard let (old, new) = change, new.isRotated(like: output), new.isPlaced(like: output) else {
        return output
      }
      return old
    }
  }
}

extension Message {
  fileprivate static func switchedOff(_ name: String, _ profile: CompositorProfile) -> Self {
    Self(.outputDark, "\(name) is switched off", next: "switch it on first, \(profile.switchingOn(name))")
  }

  fileprivate static func tooMany(_ count: Int, _ profile: CompositorProfile) -> Self {
    Self(
      .displayNonsense, "\(profile.name) reports \(count) active outputs, more than autorotate supports",
      next: "check the output of `\(profile.listing)`")
  }

  fileprivate static func unsafeName(_ name: String, _ profile: CompositorProfile) -> Self {
    Self(
      .outputFixed, "the name of the output “\(name)” cannot be sent to \(profile.name)",
      next: "choose another output in the [display] settings")
  }
}
