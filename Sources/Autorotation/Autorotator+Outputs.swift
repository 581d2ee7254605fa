// SPDX-License-Identifier: MIT

// What follows from a change of the outputs.
extension Autorotator {
  /// At the start and after a change of the outputs, the display system or a program that restores layouts (kanshi)
  /// needs a moment to rotate them. GNOME applies its own configuration again also when its session returns, when the
  /// lid is closed or opened, and when it no longer rotates the screen.
  private static let layoutTime = Duration.seconds(2)

  mutating func outputsChanged(to new: [Output], at now: Instant) {
    let before = activePanels
    let all = displays.outputs
    let isNewLayout = layout(of: all) != layout(of: new)
    let mount = sensorMount
    displays.outputs = new
    sensorMountChanged(from: mount)
    if isNewLayout {
      progress.failure = nil
      displays.layoutChangedAt = now
      kept.tryAgain()
    }
    // The rotation may come in the next report.
    if !new.isArranged(like: displays.reported) { displays.layoutChangedAt = now }
    displays.reported = new
    let isSettling = displays.layoutChangedAt.map { now < $0 + Self.layoutTime } ?? false
    updateKeptRotations(before: all, mayBeManual: !isSettling && displays.areVisible)
    reportNotRestored(before: all)
    updateScreenOrientation(before: before, mayBeManual: !isSettling && !isInvisible, at: now)
  }

  /// Everything except positions, which a rotation may change, and the rotation of the panels and of outputs rotated by
  /// the user. Users do not rotate another display at the same moment.
  private func layout(of outputs: [Output]) -> [Output] {
    let names = activePanels.map(\.name) + kept.orientations.keys
    return outputs.map { output in
      var output = output
      (output.x, output.y) = (0, 0)
      if names.contains(output.name) { output.transform = .none }
      return output
    }
  }

  /// Updates the screen orientation after the panels changed.
  /// - Parameters:
  ///   - before: the active panels before the change.
  ///   - mayBeManual: whether only the rotation has changed, so that the user may have rotated it with another program.
  mutating func updateScreenOrientation(before: [Output], mayBeManual: Bool, at now: Instant) {
    let isAnother = before.first?.name != panel?.name
    if isAnother, case .preparing(let rotation, _) = progress.phase { cancel(rotation) }
    let names = activePanels.map(\.name)
    reportMissing()
    guard let panel else { return lostPanel(hadPanel: !before.isEmpty) }
    if before.map(\.name) != names { applications.focus.setPanels(names, at: now) }
    // While it is being rotated, the answer decides.
    guard !isRotating(panel) else { return }
    let found =
      panel.orientation == displays.shown
      ? newOrientation(since: before) ?? displays.shown : panel.orientation
    let isChanged = found != displays.shown
    if choice.paused != nil, !displays.isShownKnown { choice.paused = found }
    displays.shown = panel.orientation
    if let lock = locking.lock, lock.awaitsPanel { set(lock.moved(to: found)) }
    if desktop.rotationReason != nil {
      choice.baseline = found
      if isChanged, !isAnother {
        desktop.screenRotated(toDevice: found == InterfaceOrientation(device))
      }
    } else if isAnother {
      if sensor.lastUpright == nil, locking.lock == nil { choice.baseline = found }
    } else if isChanged, mayBeManual, decision.allowed.contains(found),
      !progress.mayHaveCaused(found, on: panel.name)
    {
      adopt(found)
    }
    if isShown(found) { progress.forgetRotations(shownAs: found, on: panel.name) }
  }

  private mutating func lostPanel(hadPanel: Bool) {
    guard hadPanel || progress.reportedUnable == nil, !displays.outputs.isEmpty, panels.isEmpty else {
      return
    }
    progress.reportedUnable = ""
    let names = displays.outputs.filter(\.isActive).map(\.name).joined(separator: ", ")
    let active: Phrase = names.isEmpty ? "No output is active." : "Active outputs: \(names)."
    var message = Reason.noOutput(named: settings.output).message(on: nil)
    message.what = "\(message.what) \(active)"
    actions.append(.report(message, of: .noOutput))
  }
}
