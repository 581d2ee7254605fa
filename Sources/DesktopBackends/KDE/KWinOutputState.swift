// SPDX-License-Identifier: MIT

import Autorotation

/// The state of one output, as KWin sends it.
struct KWinOutputState: Equatable, Sendable {
  var name = ""
  var isEnabled = false
  /// In the layout, in logical pixels.
  var x = 0
  var y = 0
  var scale = 1.0
  /// As in wl_output: in steps of 90° anticlockwise, plus 4 for a flipped image.
  var transform: Int32 = 0
  /// The size of the mode, in pixels; 0 without one.
  var width = 0
  var height = 0
  var capabilities: UInt32 = 0
  /// `nil` before Plasma 6, where KWin itself does not rotate.
  var policy: KWinRotationPolicy?

  /// KWin sets it for every internal display, and for no other.
  private static let autoRotateCapability: UInt32 = 0x20

  var canAutoRotate: Bool { capabilities & Self.autoRotateCapability != 0 }

  var isBuiltIn: Bool {
    canAutoRotate || Output.isNamedLikePanel(name)
  }

  var isLit: Bool { isEnabled && PixelSize(width: width, height: height).isPlausible }

  var turn: DisplayTransform { DisplayTransform.allCases[Int(transform & 3)] }

  /// In logical pixels, rounded as KWin does.
  var rectangle: ScreenRectangle {
    let sides = [width, height].map { Int((Double($0) / scale).rounded()) }
    let (wide, high) = turn.swapsSides ? (sides[1], sides[0]) : (sides[0], sides[1])
    return ScreenRectangle(x: x, y: y, width: wide, height: high)
  }

  var laidOutput: CompositorOutput {
    var laid = CompositorOutput(
      name: name, isActive: isLit, width: width, height: height, scale: scale, rectangle: rectangle)
    laid.transform = Int(transform)
    return laid
  }

  /// KWin compensates for the panel's mounting itself, so the mount is none.
  var output: Output {
    Output(
      name: name, isBuiltIn: isBuiltIn, isExternal: Output.isNamedLikeMonitor(name), isActive: isLit,
      width: width, height: height, transform: turn)
  }

  /// Whether a scale is plausible; KWin's own range is 0.5 to 3.
  static func isScale(_ scale: Double) -> Bool { scale > 0.05 && scale < 100 }
}

extension Array<KWinOutputState> {
  var displays: [KWinDisplay] {
    filter(\.isLit).map { KWinDisplay(name: $0.name, rectangle: $0.rectangle) }
  }

  /// The output of touchscreens and pens.
  func panel(chosen: OutputChoice) -> KWinOutputState? {
    let name = map(\.output).panelName(chosen: chosen)
    return first { $0.name == name }
  }
}

extension LayoutChange {
  /// - Throws: why they cannot be rotated.
  init(
    _ turns: [PanelRotation], among states: [KWinOutputState],
    visited: VisitedArrangements = VisitedArrangements()
  ) throws(Message) {
    try self.init(turns, among: states.map(\.laidOutput), visited: visited, keepingCornerOf: .origin) {
      .switchedOff(
        $0, next: "switch it on first, for instance with `kscreen-doctor output.\($0).enable`")
    }
  }
}
