// SPDX-License-Identifier: MIT

import Autorotation
import System

/// An output as a compositor tells it over its socket.
struct CompositorOutput: Equatable {
  var name: String
  /// Its number, where windows name that; -1 if it has none.
  var number = -1
  /// Whether it has a place in the layout. It may be dark all the same.
  var isActive = true
  /// Without, it is dark (DPMS).
  var hasPower = true
  /// Whether it shows what another shows, and has no place of its own.
  var isMirror = false
  /// Of the mode, in pixels.
  var width: Int
  var height: Int
  var scale = 1.0
  var turn = DisplayTransform.none
  /// Whether the picture is mirrored.
  var isFlipped = false
  /// Its place in the layout, in units of the layout: pixels divided by the scale.
  var rectangle: ScreenRectangle
  /// What has to be repeated whenever it is changed, in the compositor's words.
  var details: [String] = []

  /// The turn and the mirroring as `wl_output.transform` counts them: 0...3, with 4 added for a mirrored picture.
  var transform: Int {
    get { Int(turn.rawValue) + (isFlipped ? 4 : 0) }
    set {
      turn = DisplayTransform(rawValue: UInt8(newValue & 3)) ?? .none
      isFlipped = newValue & 4 != 0
    }
  }

  var isDark: Bool { isActive && !hasPower }

  /// Its upper left corner stays where it is.
  func turned(to turn: DisplayTransform) -> Self {
    var turned = self
    turned.turn = turn
    if turn.swapsSides != self.turn.swapsSides {
      turned.rectangle.width = rectangle.height
      turned.rectangle.height = rectangle.width
    }
    return turned
  }

  var laidDisplay: LaidDisplay { LaidDisplay(name: name, rectangle: rectangle, turn: turn) }

  func isTurned(like other: Self) -> Bool { (turn, isFlipped) == (other.turn, other.isFlipped) }

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
  /// - Parameter value: with members of the same names.
  init(_ value: JSONValue?) {
    self.init(
      x: (value?["x"]).coordinate, y: (value?["y"]).coordinate, width: (value?["width"]).extent,
      height: (value?["height"]).extent)
  }
}
