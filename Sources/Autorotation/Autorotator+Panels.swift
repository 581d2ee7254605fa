// SPDX-License-Identifier: MIT

// The outputs that turn, all of them together.
extension Autorotator {
  /// The first of the outputs that are turned, while one is lit: by it the picture is judged.
  var panel: Output? { panels.first(where: \.isActive) }

  /// All that turn together. One that is dark is no obstacle.
  var litPanels: [Output] { panels.filter(\.isActive) }

  var panels: [Output] { outputs.panels(chosen: settings.output) }

  /// The first monitor that is lit beside the panels, where that is to stop the device from turning the picture.
  var externalInTheWay: String? {
    guard !settings.rotatesWithExternal else { return nil }
    let names = panels.map(\.name)
    return outputs.first { $0.isExternal && $0.isActive && !names.contains($0.name) }?.name
  }

  func mount(of output: Output) -> PanelMount {
    settings.panelMount ?? output.mount
  }

  /// How the casing is held, as the sensor reports how the panel is. A mount in the settings says that the sensor's frame
  /// is the casing's instead.
  var device: DeviceOrientation { sensed.ofCasing(withPanelMounted: sensorMount) }

  /// How the sensor's frame lies in the casing.
  var sensorMount: PanelMount {
    settings.panelMount == nil ? (panel ?? panels.first)?.mount ?? .topUp : .topUp
  }

  /// What was concluded from the sensor before is counted from the casing, too.
  mutating func sensorRemounted(from before: PanelMount) {
    let turn = Int(before.rawValue) - Int(sensorMount.rawValue)
    guard turn != 0, let last = heldLast else { return }
    let held = last.turned(quarters: turn)
    if baseline == last { baseline = held }
    heldLast = held
  }

  func standing(_ output: Output) -> InterfaceOrientation {
    output.transform.orientation(on: mount(of: output))
  }

  /// Whether all panels stand so.
  func isShown(_ target: InterfaceOrientation) -> Bool {
    shown == target && litPanels.dropFirst().allSatisfy { standing($0) == target }
  }

  func isTurning(_ panel: Output) -> Bool {
    turning.rotation?.turns(panel.name) ?? false
  }

  /// What another panel than the first has been turned to, while the first stands as it stood.
  func standingAnew(since before: [Output]) -> InterfaceOrientation? {
    let turned = litPanels.dropFirst().first { panel in
      !isTurning(panel) && before.contains { $0.name == panel.name && $0.transform != panel.transform }
    }
    return turned.map(standing)
  }

  func transform(of panel: Output, toShow target: InterfaceOrientation) -> DisplayTransform {
    DisplayTransform(showing: target, on: mount(of: panel))
  }

  /// All panels turn or none.
  func panel(unableToShow target: InterfaceOrientation) -> Output? {
    litPanels.first { !can($0, show: target) }
  }

  func can(_ panel: Output, show orientation: InterfaceOrientation) -> Bool {
    panel.supportedTransforms.contains(transform(of: panel, toShow: orientation))
  }

  /// Says once of each output in the settings that it is not there, while another of them is.
  mutating func reportMissing(_ actions: inout [Action]) {
    guard !panels.isEmpty else { return }
    for name in settings.output.names where !outputs.contains(where: { $0.name == name }) {
      guard turning.reportedMissing.insert(name).inserted else { continue }
      let message = Message(
        .outputUnknown, "\(name), an output from your settings, is not there: the others turn without it.",
        next: "if it is not to be plugged in later, check its name in the [display] settings")
      actions.append(.report(message, of: nil))
    }
  }

  mutating func reportUnable(
    _ panel: Output, to target: InterfaceOrientation, _ actions: inout [Action]
  ) {
    guard turning.reportedUnable != panel.name else { return }
    turning.reportedUnable = panel.name
    actions.append(.report(inability(of: panel, toShow: target), of: .fixedOutput))
  }

  func inability(of panel: Output, toShow target: InterfaceOrientation) -> Message {
    if litPanels.count > 1, let other = litPanels.first(where: { can($0, show: target) }) {
      return Message(
        .outputFixed,
        "\(panel.name) cannot be turned to \(target.word), so \(other.name) is not either: panels turn together.",
        next: "to turn the one alone, set output = \"\(other.name)\" in the [display] settings")
    }
    return Message(
      .outputFixed,
      panel.isFixed
        ? "\(panel.name) cannot be turned: its graphics driver offers no rotation. "
          + "A newer kernel or another display driver may."
        : "\(panel.name) cannot be turned to \(target.word): its graphics driver does not offer that. "
          + "Leave it out of 'supported' in the settings to have the nearest instead.")
  }
}
