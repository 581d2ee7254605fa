// SPDX-License-Identifier: MIT

import Autorotation

extension CompositorOutput {
  /// The plausible scales. wlr-output-management sends multiples of 1/256.
  private static let scales = 1.0 / 256...1024

  /// Sets the size in the layout from the mode, or from what the compositor reports.
  /// - Parameter logicalSize: the size in the layout as rotated now, as the compositor reports it.
  mutating func resize(reported logicalSize: PixelSize?) {
    let size = layoutSize(logicalSize)
    rectangle.width = size?.width ?? 0
    rectangle.height = size?.height ?? 0
  }

  private func layoutSize(_ logicalSize: PixelSize?) -> PixelSize? {
    guard let mode = self.size, mode.isPlausible, Self.scales.contains(scale) else {
      return logicalSize.flatMap { $0.isPlausible ? $0 : nil }
    }
    let rotated = mode.rotated(rotation)
    let computed = PixelSize(
      width: max(1, Int(Double(rotated.width) / scale)), height: max(1, Int(Double(rotated.height) / scale)))
    guard let logicalSize, logicalSize.isNearlyEqual(to: computed) else { return computed }
    return logicalSize
  }
}

extension [CompositorOutput] {
  /// Those whose name the compositor has sent, as the outputs of `DesktopBackend`.
  var named: [Output] { filter { !$0.name.isEmpty }.map(\.output) }
}

extension PixelSize {
  /// Whether two sizes differ only by rounding: the scale is sent in steps of 1/256. A larger difference means that
  /// one of them is outdated.
  fileprivate func isNearlyEqual(to other: Self) -> Bool {
    abs(width - other.width) <= max(2, other.width / 100)
      && abs(height - other.height) <= max(2, other.height / 100)
  }
}

extension LayoutChange {
  /// - Parameter heads: all outputs of wlr-output-management, enabled or not.
  /// - Throws: why the panels cannot be rotated.
  init(
    _ rotations: [PanelRotation], among heads: [CompositorOutput],
    visited: ArrangementHistory = ArrangementHistory()
  ) throws(Message) {
    try self.init(rotations, among: heads, visited: visited, keepingCornerOf: .layout) { name in
      heads.contains(where: \.isActive)
        ? .switchedOff(
          name, next: "switch it on first, for instance with `wlr-randr --output \(name.asArgument) --on`")
        : .allAreOff
    }
  }
}

extension Message {
  /// Rotating anyway would switch off all outputs: a configuration includes which outputs are on.
  fileprivate static let allAreOff = Self(
    .outputBlanked, "the compositor reports all its outputs as switched off",
    next: "switch one on; if this is sway before 1.9, which reports this for headless outputs, use "
      + "--backend sway")
}
