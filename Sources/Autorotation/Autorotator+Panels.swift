// SPDX-License-Identifier: MIT

/// The displays, as they were reported last.
struct DisplayState: Sendable {
  var outputs: [Output] = []
  /// The orientation of the panel, of the first one if there are several, as far as is known.
  var shown = InterfaceOrientation.normal
  /// When outputs were last added, removed or changed in more than their rotation.
  var layoutChangedAt: Instant?
  var isOn = true
  var isSessionActive = true
  var isSuspended = false

  /// Whether the user can see what is shown, as far as this does not depend on a single output.
  var areVisible: Bool { isOn && isSessionActive && !isSuspended }

  var reasonsForNotVisible: [Reason] {
    var reasons: [Reason] = []
    if !isOn { reasons.append(.displayIsOff) }
    if !isSessionActive { reasons.append(.sessionIsInactive) }
    if isSuspended { reasons.append(.suspended) }
    return reasons
  }

  subscript(name: String) -> Output? { outputs.first { $0.name == name } }

  func active(_ name: String) -> Output? { outputs.first { $0.name == name && $0.isActive } }

  mutating func apply(_ turn: PanelTurn) {
    guard let index = outputs.firstIndex(where: { $0.name == turn.output }) else { return }
    outputs[index].transform = turn.transform
  }
}

// The outputs that turn, all of them together.
extension Autorotator {
  /// The first of the outputs that are turned, while one is lit: by it the picture is judged.
  var panel: Output? { panels.first(where: \.isActive) }

  /// All that turn together. One that is dark is no obstacle.
  var litPanels: [Output] { panels.filter(\.isActive) }

  var panels: [Output] { displays.outputs.panels(chosen: settings.output) }

  /// The first monitor that is lit beside the panels, where that is to stop the device from turning the picture.
  var externalInTheWay: String? {
    guard !settings.rotatesWithExternal else { return nil }
    let names = panels.map(\.name)
    return displays.outputs.first { $0.isExternal && $0.isActive && !names.contains($0.name) }?.name
  }

  func mount(of output: Output) -> PanelMount {
    settings.panelMount ?? output.mount
  }

  /// How the casing is held, as the sensor reports how the panel is. A mount in the settings says that the sensor's frame
  /// is the casing's instead.
  var device: DeviceOrientation { sensor.orientation.ofCasing(withPanelMounted: sensorMount) }

  /// How the sensor's frame lies in the casing.
  var sensorMount: PanelMount {
    settings.panelMount == nil ? (panel ?? panels.first)?.mount ?? .topUp : .topUp
  }

  /// What was concluded from the sensor before is counted from the casing, too.
  mutating func sensorRemounted(from before: PanelMount) {
    let turn = Int(before.rawValue) - Int(sensorMount.rawValue)
    guard turn != 0, let last = sensor.lastUpright else { return }
    let held = last.turned(quarters: turn)
    if choice.baseline == last { choice.baseline = held }
    sensor.lastUpright = held
  }

  /// What is shown once the rotation under way is done.
  var upcoming: InterfaceOrientation { turning.rotation?.to ?? displays.shown }

  func standing(_ output: Output) -> InterfaceOrientation {
    output.transform.orientation(on: mount(of: output))
  }

  /// Whether all panels stand so.
  func isShown(_ target: InterfaceOrientation) -> Bool {
    displays.shown == target && litPanels.dropFirst().allSatisfy { standing($0) == target }
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
    for name in settings.output.names where displays[name] == nil {
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
