// SPDX-License-Identifier: MIT

import Autorotation

/// The state of one output, as KWin sends it.
struct KWinOutputState: Equatable, Sendable {
  var laid = CompositorOutput(isActive: false)
  var capabilities: UInt32 = 0
  /// `nil` before Plasma 6, where KWin itself does not rotate.
  var policy: KWinRotationPolicy?

  /// KWin sets it for every internal display, and for no other.
  private static let autoRotateCapability: UInt32 = 0x20

  var name: String { laid.name }

  var canAutoRotate: Bool { capabilities & Self.autoRotateCapability != 0 }

  var isBuiltIn: Bool {
    canAutoRotate || Output.isNamedLikePanel(name)
  }

  /// Sets what depends on several of KWin's events. The size in the layout is rounded as KWin does.
  /// - Parameter mode: in pixels; `nil` without one.
  mutating func finish(isEnabled: Bool, mode: PixelSize?) {
    laid.isActive = isEnabled && mode?.isPlausible == true
    laid.size = mode
    let sides = [laid.width, laid.height].map { Int((Double($0) / laid.scale).rounded()) }
    let isSideways = laid.rotation.swapsSides
    (laid.rectangle.width, laid.rectangle.height) = isSideways ? (sides[1], sides[0]) : (sides[0], sides[1])
  }

  /// KWin compensates for the panel's mounting itself, so the mount is none.
  var output: Output {
    Output(
      name: name, isBuiltIn: isBuiltIn, isExternal: Output.isNamedLikeMonitor(name), isActive: laid.isActive,
      width: laid.width, height: laid.height, transform: laid.rotation)
  }

  /// Whether a scale is plausible; KWin's own range is 0.5 to 3.
  static func isScale(_ scale: Double) -> Bool { scale > 0.05 && scale < 100 }
}

extension Array<KWinOutputState> {
  /// The output of touchscreens and pens.
  func panel(chosen: OutputChoice) -> KWinOutputState? {
    let name = map(\.output).panelName(chosen: chosen)
    return first { $0.name == name }
  }
}

extension LayoutChange {
  /// - Throws: why they cannot be rotated.
  init(
    _ rotations: [PanelRotation], among states: [KWinOutputState],
    visited: ArrangementHistory = ArrangementHistory()
  ) throws(Message) {
    try self.init(rotations, among: states.map(\.laid), visited: visited, keepingCornerOf: .origin) {
      .switchedOff(
        $0, next: "switch it on first, for instance with `kscreen-doctor output.\($0.asArgument).enable`")
    }
  }
}
