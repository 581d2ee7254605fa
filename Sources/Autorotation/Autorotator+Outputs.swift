// SPDX-License-Identifier: MIT

// Outputs that a person turns by name.
extension Autorotator {
  /// Of all that there are, for who has to name one.
  package var outputNames: [String] { displays.outputs.map(\.name) }

  /// Of the applications that have a window, or had focus.
  package var applicationNames: [String] { applications.windows.names }

  /// Whether it turns along with the panels, so that a wish for it is one for all of them.
  func isOfPanels(_ name: String) -> Bool { panels.contains { $0.name == name } }

  /// Whether the display system has yet to answer for an output that is none of the panels.
  package func isRotating(_ name: String) -> Bool { kept.isUnderWay(name) }

  /// What the picture is to become; of several the first that may be.
  func resolved(_ wish: OrientationWish) -> InterfaceOrientation {
    let coming = wish.orientations(from: standingNow)
    let allowed = decision.allowed
    return coming.first { allowed.contains($0) && panel(unableToShow: $0) == nil } ?? coming[0]
  }

  private var standingNow: Standing {
    Standing(
      shown: upcoming, held: InterfaceOrientation(device),
      naturalAspect: situation.naturalAspect)
  }

  private func resolved(_ wish: OrientationWish, of output: Output) -> InterfaceOrientation {
    let shown = kept.orientations[output.name] ?? output.transform.orientation(on: output.mount)
    let coming = wish.orientations(from: Standing(shown: shown, naturalAspect: output.naturalAspect))
    return coming.first { Self.can(output, show: $0) } ?? coming[0]
  }

  private static func can(_ output: Output, show orientation: InterfaceOrientation) -> Bool {
    output.supportedTransforms.contains(DisplayTransform(showing: orientation, on: output.mount))
  }

  /// Why an output that is none of the panels cannot be turned; `nil` if it can.
  func refusal(toTurn name: String, _ wish: OrientationWish) -> Message? {
    guard let output = displays[name] else {
      let names = displays.outputs.map(\.name).joined(separator: ", ")
      return Message(.outputUnknown, "There is no output \(name.printable()). There are: \(names).")
    }
    let orientation = resolved(wish, of: output)
    return Self.can(output, show: orientation) ? nil : inability(of: output, toShow: orientation)
  }

  mutating func keep(_ name: String, _ wish: OrientationWish, _ actions: inout [Action]) {
    guard let output = displays[name] else { return }
    let target = resolved(wish, of: output)
    kept.set(name, to: target)
    actions.append(.saveTurns(kept.orientations))
  }

  /// Turns what does not stand as the person has turned it.
  mutating func turnKept(_ actions: inout [Action]) {
    guard displays.areVisible else { return }
    for name in kept.names where !isOfPanels(name) {
      guard let output = displays.active(name),
        let orientation = kept.orientations[name], Self.can(output, show: orientation)
      else { continue }
      let transform = DisplayTransform(showing: orientation, on: output.mount)
      let turn = PanelTurn(name, to: transform)
      if output.transform == transform {
        forgetUpright(name, &actions)
      } else if kept.begin(turn) {
        actions.append(.turnOutput(turn))
      }
    }
  }

  private mutating func forgetUpright(_ name: String, _ actions: inout [Action]) {
    guard !kept.isUnderWay(name), kept.forgetUpright(name) else { return }
    actions.append(.saveTurns(kept.orientations))
  }

  mutating func outputTurned(_ turn: PanelTurn, _ actions: inout [Action]) {
    guard kept.finish(turn) else { return }
    displays.apply(turn)
  }

  mutating func outputNotTurned(_ turn: PanelTurn, _ reason: Message, _ actions: inout [Action]) {
    guard kept.finish(turn), kept.isGivenUp(turn.output),
      displays.active(turn.output) != nil
    else { return }
    actions.append(.report(reason, of: nil))
  }

  /// Who turns one of these with another program means that, too; a display system that lays its displays out anew
  /// does not.
  mutating func noticeKept(before: [Output], mayBeByHand: Bool, _ actions: inout [Action]) {
    var isNews = false
    for name in kept.names where mayBeByHand && !kept.isUnderWay(name) {
      guard let old = before.first(where: { $0.name == name && $0.isActive }),
        let new = displays.active(name), old.transform != new.transform
      else { continue }
      kept.set(name, to: new.transform.orientation(on: new.mount))
      isNews = true
    }
    if isNews { actions.append(.saveTurns(kept.orientations)) }
  }

  /// Reports each output that a rotation has left off, once until it is lit again.
  mutating func reportNotRestored(before: [Output], _ actions: inout [Action]) {
    for output in displays.outputs {
      guard let failure = output.switchOnFailure,
        before.first(where: { $0.name == output.name })?.switchOnFailure == nil
      else { continue }
      actions.append(.report(failure, of: .outputNotRestored))
    }
  }

  /// What `--status` tells of them.
  var keptReasons: [Reason] {
    kept.names.compactMap { name in
      guard !isOfPanels(name), displays.active(name) != nil else { return nil }
      return kept.orientations[name].map { .outputKept(name, $0) }
    }
  }
}
