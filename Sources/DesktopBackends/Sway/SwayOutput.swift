// SPDX-License-Identifier: MIT

import Autorotation

/// An output as `get_outputs` tells it.
struct SwayOutput: Equatable {
  var name: String
  /// Whether it has a place in the layout. It may be dark all the same.
  var isActive: Bool
  /// Whether it shows anything, or may: swayidle and others switch it dark by this (DPMS).
  var hasPower: Bool
  /// Of the mode.
  var width: Int
  var height: Int
  var transform: SwayTransform
  /// Its place in the layout, in units of the layout: pixels divided by the scale.
  var rectangle: ScreenRectangle

  /// `nil` for what has no name.
  init?(_ value: JSONValue) {
    guard let name = value["name"]?.string else { return nil }
    self.name = name
    isActive = value["active"]?.bool ?? false
    // The same in two words, the first since 1.8.
    hasPower = (value["power"] ?? value["dpms"])?.bool ?? true
    let mode = value["current_mode"] ?? value["modes"]?.elements.first
    width = Self.size(mode?["width"])
    height = Self.size(mode?["height"])
    transform = value["transform"]?.string.flatMap(SwayTransform.init(words:)) ?? SwayTransform(turn: .none)
    rectangle = ScreenRectangle(
      x: Self.place(value["rect"]?["x"]), y: Self.place(value["rect"]?["y"]),
      width: Self.size(value["rect"]?["width"]), height: Self.size(value["rect"]?["height"]))
  }

  /// No layout is larger; sums of such numbers do not overflow.
  private static let largest = 1 << 20

  private static func place(_ value: JSONValue?) -> Int {
    min(max(value?.int ?? 0, -largest), largest)
  }

  private static func size(_ value: JSONValue?) -> Int {
    max(0, place(value))
  }

  var isLit: Bool { isActive && hasPower }

  var output: Output {
    Output(
      name: name, isBuiltIn: Output.isNamedLikePanel(name),
      isExternal: Output.isNamedLikeMonitor(name), isActive: isLit, width: width, height: height,
      transform: transform.turn)
  }
}

/// A transform in sway's words, which count quarter turns clockwise where everybody else counts them
/// anticlockwise: "270" is `wl_output`'s 90.
struct SwayTransform: Equatable {
  var turn: DisplayTransform
  var isFlipped = false

  init(turn: DisplayTransform, isFlipped: Bool = false) {
    self.turn = turn
    self.isFlipped = isFlipped
  }

  init?(words: String) {
    guard let transform = Self.all.first(where: { $0.words == words }) else { return nil }
    self = transform
  }

  var words: String {
    let angle =
      switch turn {
      case .none: "normal"
      case .turned90: "270"
      case .turned180: "180"
      case .turned270: "90"
      }
    guard isFlipped else { return angle }
    return turn == .none ? "flipped" : "flipped-\(angle)"
  }

  private static let all = DisplayTransform.allCases.flatMap {
    [Self(turn: $0), Self(turn: $0, isFlipped: true)]
  }
}
