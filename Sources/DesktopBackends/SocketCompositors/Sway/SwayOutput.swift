// SPDX-License-Identifier: MIT

import Autorotation
import System

extension CompositorOutput {
  /// - Parameter value: an element of `get_outputs`; `nil` for one without a name.
  init?(sway value: JSONValue) {
    guard let name = value["name"]?.string else { return nil }
    let mode = value["current_mode"] ?? value["modes"]?.elements.first
    self.init(
      name: name, isActive: value["active"]?.bool ?? false,
      // Two names for the same member, the first since 1.8.
      hasPower: (value["power"] ?? value["dpms"])?.bool ?? true, width: (mode?["width"]).extent,
      height: (mode?["height"]).extent, scale: value["scale"]?.double ?? 1,
      rectangle: ScreenRectangle(value["rect"]))
    transform = value["transform"]?.string.flatMap(Self.swayTransforms.firstIndex) ?? 0
  }

  /// In the order of `wl_output.transform`: sway's angles are clockwise, those of Wayland anticlockwise.
  private static let swayTransforms = [
    "normal", "270", "180", "90", "flipped", "flipped-270", "flipped-180", "flipped-90",
  ]

  var swayTransform: String { Self.swayTransforms[transform] }
}
