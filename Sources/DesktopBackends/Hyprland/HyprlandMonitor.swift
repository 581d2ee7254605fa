// SPDX-License-Identifier: MIT

import Autorotation

/// A monitor as `j/monitors all` tells it.
struct HyprlandMonitor: Equatable {
  var id: Int
  var name: String
  var isActive: Bool
  /// Without, it is dark, and keeps its place in the layout.
  var hasPower: Bool
  /// Whether it shows what another shows, and has no place of its own.
  var isMirror: Bool
  /// Of the mode, in pixels.
  var width: Int
  var height: Int
  /// Hz.
  var refreshRate: Double
  var scale: Double
  /// `wl_output.transform`: 0...3, with 4 added for a mirrored picture.
  var transform: Int
  /// Where its upper left corner is on the desktop.
  var x: Int
  var y: Int
  /// Whether it shows 10 bits a colour.
  var isDeep: Bool

  /// `nil` for what has no name.
  init?(_ value: JSONValue) {
    guard let name = value["name"]?.string, !name.isEmpty else { return nil }
    self.name = name
    id = value["id"]?.int ?? -1
    isActive = value["disabled"]?.bool != true
    hasPower = value["dpmsStatus"]?.bool ?? true
    isMirror = value["mirrorOf"]?.string.map { $0 != "none" && !$0.isEmpty } ?? false
    width = max(0, Self.bounded(value["width"]))
    height = max(0, Self.bounded(value["height"]))
    refreshRate = value["refreshRate"]?.double.flatMap { (1...1000).contains($0) ? $0 : nil } ?? 60
    scale = Self.exact(value["scale"]?.double ?? 1)
    transform = value["transform"]?.int.flatMap { (0...7).contains($0) ? $0 : nil } ?? 0
    x = Self.bounded(value["x"])
    y = Self.bounded(value["y"])
    isDeep = value["currentFormat"]?.string?.contains("2101010") ?? false
  }

  /// No layout is larger; sums of such numbers do not overflow.
  private static func bounded(_ value: JSONValue?) -> Int {
    min(max(value?.int ?? 0, -(1 << 20)), 1 << 20)
  }

  /// Scales are multiples of 1/120, and told with two decimals before 0.50.
  private static func exact(_ scale: Double) -> Double {
    (0.1...20).contains(scale) ? (scale * 120).rounded() / 120 : 1
  }

  var turn: DisplayTransform { DisplayTransform(rawValue: UInt8(transform & 3)) ?? .none }

  /// The same turn of a picture that is mirrored, or not, as before.
  func transform(for turn: DisplayTransform) -> Int {
    transform & 4 | Int(turn.rawValue)
  }

  /// Its place in the layout.
  func rectangle(turned turn: DisplayTransform) -> ScreenRectangle {
    let (width, height) = turn.swapsSides ? (height, width) : (width, height)
    return ScreenRectangle(
      x: x, y: y, width: Int((Double(width) / scale).rounded()),
      height: Int((Double(height) / scale).rounded()))
  }

  var rectangle: ScreenRectangle { rectangle(turned: turn) }

  var output: Output {
    Output(
      name: name, isBuiltIn: Output.isNamedLikePanel(name),
      isExternal: Output.isNamedLikeMonitor(name), isActive: isActive && hasPower, width: width,
      height: height,
      scale: scale, transform: turn)
  }
}
