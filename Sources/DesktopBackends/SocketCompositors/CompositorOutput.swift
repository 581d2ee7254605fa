// SPDX-License-Identifier: MIT

import Autorotation
import System

/// An output as a compositor describes it over its socket.
struct CompositorOutput: Equatable {
  var name: String
  /// Its number, where windows refer to outputs by number; -1 if it has none.
  var number = -1
  /// Whether it is part of the layout. Its power may be off.
  var isActive = true
  /// False while DPMS has it off.
  var hasPower = true
  /// Whether it mirrors another output and has no place of its own.
  var isMirror = false
  /// The size of the mode, in pixels.
  var width: Int
  var height: Int
  var scale = 1.0
  var turn = DisplayTransform.none
  /// Whether the image is flipped.
  var isFlipped = false
  /// In logical pixels: pixels divided by the scale.
  var rectangle: ScreenRectangle
  /// What each change must repeat, in the compositor's syntax.
  var details: [String] = []

  /// Rotation and flip as in `wl_output.transform`: 0...3, with 4 added for a flipped image.
  var transform: Int {
    get { Int(turn.rawValue) + (isFlipped ? 4 : 0) }
    set {
      turn = DisplayTransform(rawValue: UInt8(newValue & 3)) ?? .none
      isFlipped = newValue & 4 != 0
    }
  }

  var isOff: Bool { isActive && !hasPower }

  var laidDisplay: PlacedDisplay { PlacedDisplay(name: name, rectangle: rectangle, turn: turn) }

  func isRotated(like other: Self) -> Bool { (turn, isFlipped) == (other.turn, other.isFlipped) }

  func isPlaced(like other: Self) -> Bool {
    (rectangle.x, rectangle.y) == (other.rectangle.x, other.rectangle.y)
  }

  var output: Output {
    Output(
      name: name, isBuiltIn: Output.isNamedLikePanel(name), isExternal: Output.isNamedLikeMonitor(name),
      isActive: isActive && hasPower, width: width, height: height, scale: scale, transform: turn)
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
