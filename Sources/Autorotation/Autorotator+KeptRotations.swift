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
      from: upcoming, device: InterfaceOrientation(device), on: naturalAspect ?? .landscape)
    let allowed = decision.allowed
    return candidates.first { allowed.contains($0) && panel(unableToShow: $0) == nil } ?? candidates[0]
  }

  private func resolved(_ target: RotationTarget, of output: Output) -> InterfaceOrientation {
    let shown = kept.orientations[output.name] ?? output.orientation
    let candidates = target.orientations(from: shown, on: output.naturalAspect)
    return candidates.first { output.canShow($0) } ?? candidates[0]
  }

  /// Why an output besides the panels cannot be rotated; `nil` if it can.
  func refusal(toRotate name: String, _ target: RotationTarget) -> Message? {
    guard let output = displays[name] else {
      let names = outputNames.joined(separator: ", ")
      return Message(.outputUnknown, "There is no output \(name.printable()). Outputs: \(names).")
    }
    let orientation = resolved(target, of: output)
    return output.canShow(orientation) ? nil : inability(of: output, toShow: orientation)
  }

  mutating func keep(_ name: String, _ target: RotationTarget) {
    guard let output = displays[name] else { return }
    let orientation = resolved(target, of: output)
    kept.set(name, to: orientation)
    actions.append(.saveRotations(kept.orientations))
  }

  /// Rotates the outputs that differ from the user's choice.
  mutating func rotateKeptOutputs() {
    guard displays.areVisible else { return }
    for (name, orientation) in kept.sorted where !isPanel(name) {
      guard let output = displays.active(name), output.canShow(orientation) else { continue }
      let change = PanelRotation(name, to: output.transform(toShow: orientation))
      if output.transform != change.transform {
        if kept.begin(change) { actions.append(.rotateOutput(change)) }
      } else if kept.forgetNormal(name) {
        actions.append(.saveRotations(kept.orientations))
      }
    }
  }

  mutating func outputAnswered(_ change: PanelRotation, _ failure: Message?) {
    guard kept.finish(change, hasFailed: failure != nil) else { return }
    guard let failure else { return displays.apply(change) }
    if kept.isGivenUp(change.output) { actions.append(.report(failure, of: nil)) }
  }

  /// A rotation of such an output by another program is the user's choice, too; one that comes with a new layout is
  /// not.
  mutating func updateKeptRotations(before: [Output], mayBeManual: Bool) {
    var isNews = false
    for name in kept.orientations.keys where mayBeManual && !kept.isUnderWay(name) {
      guard let old = before.first(where: { $0.name == name && $0.isActive }),
        let new = displays.active(name), old.transform != new.transform
      else { continue }
      kept.set(name, to: new.orientation)
      isNews = true
    }
    if isNews { actions.append(.saveRotations(kept.orientations)) }
  }

  /// Reports each output that a rotation has left off, once until it is on again.
  mutating func reportNotRestored(before: [Output]) {
    for output in displays.outputs {
      guard let failure = output.switchOnFailure,
        before.first(where: { $0.name == output.name })?.switchOnFailure == nil
      else { continue }
      actions.append(.report(failure, of: .outputNotRestored))
    }
  }

  /// The lines of `autorotate status` about them.
  var keptOutputReasons: [Reason] {
    kept.sorted.compactMap { name, orientation in
      guard !isPanel(name), let output = displays[name] else { return nil }
      // One that is on and upright again is not kept.
      return output.isActive && orientation == .normal && output.orientation == .normal
        ? nil : .outputKept(name, orientation, isOn: output.isActive)
    }
  }
}

/// Outputs besides the panels that the user has rotated, by name: they keep it across restart and hot-plug.
struct KeptRotations: Sendable {
  /// A display system that fails three times will not succeed later.
  private static let maximumFailures = 3

  private(set) var orientations: [String: InterfaceOrientation]
  /// Rotations that the display system has not answered yet.
  private var underWay: [String: PanelRotation] = [:]
  /// Failures of each output in a row, until the user requests its rotation, or the displays change or become visible.
  private var failures: [String: Int] = [:]

  init(_ orientations: [String: InterfaceOrientation]) {
    self.orientations = orientations
  }

  /// By name.
  var sorted: [(key: String, value: InterfaceOrientation)] { orientations.sorted { $0.key < $1.key } }

  func isUnderWay(_ name: String) -> Bool { underWay[name] != nil }

  mutating func set(_ name: String, to orientation: InterfaceOrientation) {
    orientations[name] = orientation
    failures[name] = nil
  }

  mutating func tryAgain() {
    failures = [:]
  }

  /// - Returns: whether to send it to the display system.
  mutating func begin(_ change: PanelRotation) -> Bool {
    guard !isUnderWay(change.output), !isGivenUp(change.output) else { return false }
    underWay[change.output] = change
    return true
  }

  /// - Returns: whether it was under way.
  mutating func finish(_ change: PanelRotation, hasFailed: Bool) -> Bool {
    guard underWay[change.output] == change else { return false }
    underWay[change.output] = nil
    failures[change.output] = hasFailed ? failures[change.output, default: 0] + 1 : nil
    return true
  }

  func isGivenUp(_ name: String) -> Bool { failures[name, default: 0] >= Self.maximumFailures }

  /// An output that is normal again need not be kept.
  /// - Returns: whether it was forgotten.
  mutating func forgetNormal(_ name: String) -> Bool {
    guard !isUnderWay(name), orientations[name] == .normal else { return false }
    orientations[name] = nil
    return true
  }
}
