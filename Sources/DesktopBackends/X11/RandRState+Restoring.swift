// SPDX-License-Identifier: MIT

import Autorotation

/// Switching on outputs again that a rotation has switched off.
extension RandRState {
  /// Whether one of its outputs is connected and has no CRTC.
  func needsRestoring(_ crtc: CRTC) -> Bool { !unlitConnectors(of: crtc).isEmpty }

  private func unlitConnectors(of crtc: CRTC) -> [Connector] {
    connectors.filter { crtc.outputs.contains($0.id) && $0.isConnected && $0.crtc == 0 }
  }

  /// This state with the CRTCs `missing` lit again at their positions, and a screen that contains all CRTCs.
  /// - Parameter dropsRotation: whether to drop their rotation, which the driver may refuse while it shows an unrotated
  ///   screen.
  /// - Returns: `nil` if none of them can be lit.
  func restoring(_ missing: [CRTC], dropsRotation: Bool = false) -> Self? {
    var target = self
    for crtc in missing where needsRestoring(crtc) {
      guard var lit = target.lightable(crtc, dropsRotation: dropsRotation),
        let index = target.crtcs.firstIndex(where: { $0.id == lit.id })
      else { continue }
      lit.rectangle = lit.rectangle.placed(beside: target.crtcs.filter(\.isLit).map(\.rectangle))
      target.crtcs[index] = lit
    }
    guard target.crtcs != crtcs else { return nil }
    let whole = ScreenRectangle(around: target.crtcs.filter(\.isLit).map(\.rectangle))
    guard allowsScreen(width: whole.maxX, height: whole.maxY) else { return nil }
    target.screen = screen.resized(to: PixelSize(width: whole.maxX, height: whole.maxY))
    return target
  }

  /// On the same CRTC, or on another free one; in the same mode, or in the preferred one if that no longer exists.
  private func lightable(_ crtc: CRTC, dropsRotation: Bool) -> CRTC? {
    let outputs = unlitConnectors(of: crtc)
    guard let connector = outputs.first else { return nil }
    let usable = crtcs.filter { !$0.isLit && connector.possibleCRTCs.contains($0.id) }
    guard var lit = usable.first(where: { $0.id == crtc.id }) ?? usable.first else { return nil }
    lit.mode = modes[crtc.mode] == nil ? connector.preferredMode : crtc.mode
    lit.outputs = outputs.map(\.id)
    lit.rotation =
      dropsRotation || lit.rotations & crtc.rotation != crtc.rotation
      ? DisplayTransform.none.randrRotation : crtc.rotation
    guard let size = size(of: lit, rotation: lit.rotation) else { return nil }
    lit.rectangle = ScreenRectangle(
      x: crtc.rectangle.x, y: crtc.rectangle.y, width: size.width, height: size.height)
    return lit
  }

  /// All outputs, with the reason at those of `missing` that are off.
  func outputs(notRestored missing: [CRTC], because problem: Phrase?) -> [Output] {
    let names = missing.flatMap(unlitConnectors).map(\.name)
    return outputs.map { output in
      var output = output
      if names.contains(output.name) { output.switchOnFailure = .notRestored(output.name, because: problem) }
      return output
    }
  }
}

extension ScreenRectangle {
  /// This place; or one right of `others` if these have moved, so that it would partly overlap one of them or touch
  /// none of them. Rectangles at the same corner are mirrors.
  fileprivate func placed(beside others: [Self]) -> Self {
    let partlyOverlaps = others.contains { overlaps($0) && ($0.x, $0.y) != (x, y) }
    let isApart = !others.contains { touches($0) || overlaps($0) }
    guard !others.isEmpty, partlyOverlaps || isApart else { return self }
    let whole = Self(around: others)
    return moved(x: whole.maxX, y: whole.y)
  }
}

extension Message {
  nonisolated static func notRestored(_ output: String, because problem: Phrase?) -> Self {
    let reason: Phrase = problem.map { " (\($0))" } ?? ""
    return Self(
      .outputNotRestored,
      "\(output) is off: a rotation switched it off, and the X server refuses to switch it on again\(reason)",
      next:
        "autorotate tries again at each change; if `xrandr --output \(output.asArgument) --auto` fails too, switch to "
        + "another virtual terminal and back (Ctrl+Alt+F3, or `sudo chvt 3` over ssh)")
  }
}
