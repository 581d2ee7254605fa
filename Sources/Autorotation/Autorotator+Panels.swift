// SPDX-License-Identifier: MIT

/// The displays.
struct DisplayState: Sendable {
  /// As last reported, with our rotations since then.
  var outputs: [Output] = []
  /// As last reported. Our rotations also move the neighbours, which only the next report shows.
  var reported: [Output] = []
  /// The orientation of the panel, of the first one if there are several, as far as is known.
  var shown = InterfaceOrientation.normal { didSet { isShownKnown = true } }
  private(set) var isShownKnown = false
  /// When outputs were last added, removed or changed in more than their rotation, or anything else happened after
  /// which the display system may rotate them.
  var layoutChangedAt: Instant?
  var isOn = true
  var isSessionActive = true
  var isSuspended = false

  /// Whether the user can see the screen, as far as this does not depend on a single output.
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

  mutating func apply(_ change: PanelRotation) {
    guard let index = outputs.firstIndex(where: { $0.name == change.output }) else { return }
    outputs[index].transform = change.transform
  }
}

// The outputs that rotate together.
extension Autorotator {
  /// The first active panel: its orientation is that of the screen.
  var panel: Output? { panels.first(where: \.isActive) }

  /// The panels that rotate together. One that is off is no obstacle.
  var activePanels: [Output] { panels.filter(\.isActive) }

  var panels: [Output] { displays.outputs.panels(chosen: settings.output).map { mounted($0) } }

  /// With the mount of the settings, if they have one.
  func mounted(_ panel: Output) -> Output {
    var panel = panel
    panel.mount = settings.panelMount ?? panel.mount
    return panel
  }

  /// The first active monitor besides the panels, if the settings pause auto-rotation while there is one.
  var blockingMonitor: String? {
    guard !settings.rotatesWithExternal else { return nil }
    let names = panels.map(\.name)
    return displays.outputs.first { $0.isExternal && $0.isActive && !names.contains($0.name) }?.name
  }

  /// The orientation of the casing; the sensor reports that of the panel. A mount in the settings means that the
  /// sensor's frame is the casing's instead.
  var device: DeviceOrientation { sensor.orientation.ofCasing(withPanelMounted: sensorMount) }

  /// The orientation of the sensor's frame in the casing.
  var sensorMount: PanelMount {
    settings.panelMount == nil ? (panel ?? panels.first)?.mount ?? .topUp : .topUp
  }

  /// Converts earlier results to the new frame of the sensor.
  mutating func sensorMountChanged(from before: PanelMount) {
    let quarters = Int(before.rawValue) - Int(sensorMount.rawValue)
    guard quarters != 0, let last = sensor.lastUpright else { return }
    let upright = last.rotated(quarters: quarters)
    if choice.baseline == last { choice.baseline = upright }
    sensor.lastUpright = upright
  }

  /// The orientation once the rotation under way is done. One that is no longer wanted is cancelled while hooks run, and
  /// later followed by another.
  var upcoming: InterfaceOrientation {
    guard progress.rotation != nil else { return displays.shown }
    var situation = situation
    if case .applying(let rotation, _, _) = progress.phase { situation.shown = rotation.to }
    return situation.decide().orientation
  }

  /// Whether all panels show it.
  func isShown(_ target: InterfaceOrientation) -> Bool {
    displays.shown == target && activePanels.dropFirst().allSatisfy { $0.orientation == target }
  }

  func isRotating(_ panel: Output) -> Bool { progress.rotation?.outputs.contains(panel.name) ?? false }

  /// The new orientation of another panel than the first, while the first is unchanged.
  func newOrientation(since before: [Output]) -> InterfaceOrientation? {
    let rotated = activePanels.dropFirst().first { panel in
      !isRotating(panel) && before.contains { $0.name == panel.name && $0.transform != panel.transform }
    }
    return rotated?.orientation
  }

  /// All panels rotate or none.
  func panel(unableToShow target: InterfaceOrientation) -> Output? {
    activePanels.first { !$0.canShow(target) }
  }

  /// Reports once each output in the settings that is not connected, while another of them is.
  mutating func reportMissing() {
    guard !panels.isEmpty else { return }
    for name in settings.output.names where displays[name] == nil {
      guard progress.reportedMissing.insert(name).inserted else { continue }
      let message = Message(
        .outputUnknown, "\(name) from your settings is not connected; the other outputs rotate without it",
        next: "unless you connect it later, check its name in the [display] settings")
      actions.append(.report(message, of: nil))
    }
  }

  mutating func reportUnable(_ panel: Output, to target: InterfaceOrientation) {
    guard progress.reportedUnable != panel.name else { return }
    progress.reportedUnable = panel.name
    actions.append(.report(inability(of: panel, toShow: target), of: .fixedOutput))
  }

  /// Why an output, a panel or another, cannot be rotated.
  func inability(of output: Output, toShow target: InterfaceOrientation) -> Message {
    let wanted = target.name(on: output.naturalAspect)
    if isPanel(output.name), let other = activePanels.first(where: { $0.canShow(target) }) {
      return Message(
        .outputFixed,
        "\(output.name) cannot be rotated (\(wanted)), so \(other.name) is not rotated either: panels rotate together",
        next: "to rotate only that one, set output = \(JSON.string(other.name)) in the [display] settings")
    }
    guard !output.isFixed else {
      return Message(
        .outputFixed,
        "\(output.name) cannot be rotated: its graphics driver does not support rotation. "
          + "A newer kernel or another display driver may.")
    }
    return Message(
      .outputFixed,
      "\(output.name) cannot be rotated (\(wanted)): its graphics driver does not support it",
      next: isPanel(output.name)
        ? "to use the nearest one instead, remove it from 'supported' in the settings" : nil)
  }

  // MARK: A screen that is not visible is not rotated, and that is no failure

  /// Whether the screen is off, or its session is not visible.
  var isInvisible: Bool { !displays.areVisible || panel == nil && !panels.isEmpty }

  /// Forgets failures while the screen is not visible, or just before; once it is visible again, everything is tried
  /// again.
  mutating func visibilityChanged(at now: Instant) {
    progress.failure = nil
    // A finger lifted while the screen is off is not reported.
    touch = TouchGuard()
    guard isInvisible else {
      progress.visibleSince = now
      displays.layoutChangedAt = now
      kept.tryAgain()
      return
    }
    progress.becameInvisible = true
    if case .preparing(let rotation, _) = progress.phase { cancel(rotation) }
  }
}
