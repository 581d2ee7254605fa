// SPDX-License-Identifier: MIT

import Autorotation

/// Turns an output: thinks the new screen out, changes it at a stroke, looks whether it came about, and
/// takes it back if not.
struct RandRRotation {
  let randr: RandR
  let touch: TouchMapping?
  let lifeline: Lifeline?
  /// The output that the touch devices lie on, in a given state.
  let panelName: (RandRState) -> String?

  func turn(_ output: String, to transform: DisplayTransform) throws(RotationFailure) {
    let before = try state(output)
    let target = try before.turning(output, to: transform)
    let (found, wanted) = matrices(from: before, to: target)
    guard let problem = carryOut(from: before, to: target, found, wanted) else {
      touch?.remember(wanted)
      return
    }
    throw takeBack(output, problem, to: before, found, wanted)
  }

  private func state(_ output: String) throws(RotationFailure) -> RandRState {
    do { return try randr.read() } catch { throw .refused(output, "\(error)") }
  }

  private func matrices(from before: RandRState, to target: RandRState) -> ([DeviceMatrix], [DeviceMatrix]) {
    guard let touch, let panel = panelName(before), let now = before.place(of: panel),
      let place = target.place(of: panel)
    else { return ([], []) }
    let found = touch.read()
    return (found, touch.map(found, to: place, now: now))
  }

  /// - Returns: what went wrong.
  private func carryOut(
    from old: RandRState, to new: RandRState, _ found: [DeviceMatrix], _ wanted: [DeviceMatrix]
  ) -> String? {
    let change = ScreenChange(from: old, to: new)
    let outcome = RandRBatch(
      connection: randr.connection, lifeline: lifeline, change: change, oldMatrices: found,
      newMatrices: wanted
    ).run(readingBack: new.crtcs.filter(\.isLit).map(\.id))
    return outcome.error.map { "\($0)" } ?? difference(between: outcome, and: new, wanted)
  }

  /// RandR may say that it succeeded and show something else: only what is read back counts.
  private func difference(
    between outcome: RandRBatch.Outcome, and new: RandRState, _ wanted: [DeviceMatrix]
  ) -> String? {
    guard outcome.screen == RandRState.Size(width: new.screen.width, height: new.screen.height) else {
      return "the screen has another size than asked for"
    }
    for crtc in outcome.crtcs where !(new[crtc: crtc.id]?.shows(crtc) ?? false) {
      return "the driver shows something else than asked for"
    }
    // A device that has vanished meanwhile has no matrix to be wrong.
    for actual in outcome.matrices {
      let asked = wanted.first { $0.device == actual.device }
      if let asked, !asked.matrix.isClose(to: actual.matrix) {
        return "the matrix of “\(actual.device.name)” did not change"
      }
    }
    return nil
  }

  private func takeBack(
    _ output: String, _ problem: String, to before: RandRState,
    _ found: [DeviceMatrix], _ wanted: [DeviceMatrix]
  ) -> RotationFailure {
    guard let now = try? randr.read() else { return .refused(output, problem) }
    if let second = carryOut(from: now, to: before, wanted, found) {
      return .stuck(output, problem, second)
    }
    touch?.remember(found)
    return .refused(output, problem)
  }
}

extension RotationFailure {
  fileprivate static func refused(_ output: String, _ problem: String) -> Self {
    Self(
      "\(output) could not be turned and is as before (\(problem)): "
        + "see the end of the X server's log for the driver's reason")
  }

  fileprivate static func stuck(_ output: String, _ problem: String, _ second: String) -> Self {
    Self(
      "\(output) could not be turned (\(problem)), nor be put back (\(second)): "
        + "set it right with `xrandr --auto`, and see the end of the X server's log")
  }
}
