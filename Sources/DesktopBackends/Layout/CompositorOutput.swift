// SPDX-License-Identifier: MIT

import Autorotation
import System

/// An output as a compositor describes it.
struct CompositorOutput: Equatable {
  var name = ""
  /// Its number, where outputs have one; -1 elsewhere.
  var number = -1
  /// Whether it is part of the layout. Its power may be off.
  var isActive = true
  /// False while DPMS has it off.
  var hasPower = true
  /// Whether it mirrors another output and has no place of its own.
  var isMirror = false
  /// The size of the mode before rotation, in pixels; 0 if unknown.
  var width = 0
  var height = 0
  var scale = 1.0
  var rotation = DisplayTransform.none
  var isFlipped = false
  /// In logical pixels: pixels divided by the scale. Of size 0 if unknown.
  var rectangle = ScreenRectangle(around: [])
  /// What each change must repeat, in the compositor's syntax.
  var details: [String] = []

  /// Rotation and flip as in `wl_output.transform`: 0...3, with 4 added for a flipped image. Any other number counts
  /// as 0.
  var transform: Int {
    get { Int(rotation.rawValue) + (isFlipped ? 4 : 0) }
    set {
      let valid = (0...7).contains(newValue) ? newValue : 0
      rotation = DisplayTransform.allCases[valid & 3]
      isFlipped = valid & 4 != 0
    }
  }

  /// The size of the mode, `nil` if unknown.
  var size: PixelSize? {
    get { width > 0 ? PixelSize(width: width, height: height) : nil }
    set { (width, height) = (newValue?.width ?? 0, newValue?.height ?? 0) }
  }

  var isOff: Bool { isActive && !hasPower }

  var hasSize: Bool { rectangle.width > 0 && rectangle.height > 0 }

  var placedDisplay: PlacedDisplay { PlacedDisplay(name: name, rectangle: rectangle, rotation: rotation) }

  func isSame(as other: Self) -> Bool { (name, number) == (other.name, other.number) }

  func isRotated(like other: Self) -> Bool { (rotation, isFlipped) == (other.rotation, other.isFlipped) }

  func isPlaced(like other: Self) -> Bool {
    (rectangle.x, rectangle.y) == (other.rectangle.x, other.rectangle.y)
  }

  var output: Output {
    Output(
      name: name, isBuiltIn: Output.isNamedLikePanel(name), isExternal: Output.isNamedLikeMonitor(name),
      isActive: isActive && hasPower, x: rectangle.x, y: rectangle.y, width: width, height: height,
      scale: scale, transform: rotation)
  }
}

extension [CompositorOutput] {
  subscript(name: String) -> CompositorOutput? { first { $0.name == name } }

  /// Whether the outputs are on and have these rotations.
  func show(_ rotations: [PanelRotation]) -> Bool {
    rotations.allSatisfy { rotation in
      self[rotation.output].map { $0.isActive && $0.rotation == rotation.transform } ?? false
    }
  }
}

extension JSONValue? {
  /// A coordinate of the layout. No layout is larger; sums of such numbers do not overflow.
  var coordinate: Int { Swift.min(Swift.max(self?.int ?? 0, -(1 << 20)), 1 << 20) }
  /// A width or height in pixels.
  var extent: Int { Swift.max(0, coordinate) }
}

extension ScreenRectangle {
  /// - Parameter value: an object with members x, y, width and height.
  init(_ value: JSONValue?) {
    self.init(
      x: (value?["x"]).coordinate, y: (value?["y"]).coordinate, width: (value?["width"]).extent,
      height: (value?["height"]).extent)
  }
}
