// SPDX-License-Identifier: MIT

// Outputs that the user rotates by name.
extension Autorotator {
  /// All outputs, for choosing one.
  package var outputNames: [String] { displays.outputs.map(\.name) }

  /// The applications that have a window, or had focus.
  package var applicationNames: [String] { applications.windows.names }

  /// Whether it rotates together with the panels, so that a command for it is one for all of them.
  func isPanel(_ name: String) -> Bool { panels.contains { $0.name == name } }

  /// Whether the display system still has to answer for an output besides the panels.
  package func isRotating(_ name: String) -> Bool { kept.isUnderWay(name) }

  /// The orientation meant by a target; of several the first that is possible.
  func resolved(_ target: RotationTarget) -> InterfaceOrientation {
    let candidates = target.orientations(
      from: upcoming, device: InterfaceOrientation(device), on: situation.naturalAspect)
    let allowed = decision.allowed
    return candidates.first { allowed.contains($0) && panel(unableToShow: $0) == nil } ?? candidates[0]
  }

  private func resolved(_ target: RotationTarget, of output: Output) -> InterfaceOrientation {
    let shown = kept.orientations[output.name] ?? output.transform.orientation(on: output.mount)
    let candidates = target.orientations(from: shown, on: output.naturalAspect)
    return candidates.first { Self.can(output, show: $0) } ?? candidates[0]
  }

  private static func can(_ output: Output, show orientation: InterfaceOrientation) -> Bool {
    output.supportedTransforms.contains(DisplayTransform(showing: orientation, on: output.mount))
  }

  /// Why an output besides the panels cannot be rotated; `nil` if it can.
  func refusal(toRotate name: String, _ target: RotationTarget) -> Message? {
    guard let output = displays[name] else {
      let names = displays.outputs.map(\.name).joined(separator: ", ")
      return Message(.outputUnknown, "There is no output \(name.printable()). Outputs: \(names).")
    }
    let orientation = resolved(target, of: output)
    return Self.can(output, show: orientation) ? nil : inability(of: output, toShow: orientation)
  }

  mutating func keep(_ name: String, _ target: RotationTarget, _ actions: inout [Action]) {
    guard let output = displays[name] else { return }
    let orientation = resolved(target, of: output)
    kept.set(name, to: orientation)
    actions.append(.saveRotations(kept.orientations))
  }

  /// Rotates the outputs that differ from the user's choice.
  mutating func rotateKeptOutputs(_ actions: inout [Action]) {
    guard displays.areVisible else { return }
    for name in kept.names where !isPanel(name) {
      guard let output = displays.active(name),
        let orientation = kept.orientations[name], Self.can(output, show: orientation)
      else { continue }
      let transform = DisplayTransform(showing: orientation, on: output.mount)
      let change = PanelRotation(name, to: transform)
      if output.transform == transform {
        forgetNormal(name, &actions)
      } else if kept.begin(change) {
        actions.append(.rotateOutput(change))
      }
    }
  }

  private mutating func forgetNormal(_ name: String, _ actions: inout [Action]) {
    guard !kept.isUnderWay(name), kept.forgetNormal(name) else { return }
    actions.append(.saveRotations(kept.orientations))
  }

  mutating func outputRotated(_ change: PanelRotation, _ actions: inout [Action]) {
    guard kept.finish(change) else { return }
    displays.apply(change)
  }

  mutating func outputNotRotated(_ change: PanelRotation, _ reason: Message, _ actions: inout [Action]) {
    guard kept.finish(change), kept.isGivenUp(change.output),
      displays.active(change.output) != nil
    else { return }
    actions.append(.report(reason, of: nil))
  }

  /// A rotation of such an output by another program is the user's choice, too; one that comes with a new layout is
  /// not.
  mutating func updateKeptRotations(before: [Output], mayBeManual: Bool, _ actions: inout [Action]) {
    var isNews = false
    for name in kept.names where mayBeManual && !kept.isUnderWay(name) {
      guard let old = before.first(where: { $0.name == name && $0.isActive }),
        let new = displays.active(name), old.transform != new.transform
      else { continue }
      kept.set(name, to: new.transform.orientation(on: new.mount))
      isNews = true
    }
    if isNews { actions.append(.saveRotations(kept.orientations)) }
  }

  /// Reports each output that a rotation has left off, once until it is on again.
  mutating func reportNotRestored(before: [Output], _ actions: inout [Action]) {
    for output in displays.outputs {
      guard let failure = output.switchOnFailure,
        before.first(where: { $0.name == output.name })?.switchOnFailure == nil
      else { continue }
      actions.append(.report(failure, of: .outputNotRestored))
    }
  }

  /// The lines of `autorotate status` about them.
  var keptOutputReasons: [Reason] {
    kept.names.compactMap { name in
      guard !isPanel(name), displays.active(name) != nil else { return nil }
      return kept.orientations[name].map { .outputKept(name, $0) }
    }
  }
}
