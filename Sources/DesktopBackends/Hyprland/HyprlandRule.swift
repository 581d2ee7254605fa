// SPDX-License-Identifier: MIT

import Glibc

/// What shall be of a monitor, in each of the two languages that Hyprland may be configured in.
struct HyprlandRule: Equatable {
  var name: String
  /// "1920x1200@60.00000"
  var mode: String
  var x: Int
  var y: Int
  var scale: Double
  var transform: Int
  var isDeep: Bool

  init(_ monitor: HyprlandMonitor, x: Int, y: Int, transform: Int) {
    name = monitor.name
    mode = "\(monitor.width)x\(monitor.height)@\(Self.decimals(monitor.refreshRate, 5))"
    self.x = x
    self.y = y
    scale = monitor.scale
    self.transform = transform
    isDeep = monitor.isDeep
  }

  func isMet(by monitor: HyprlandMonitor) -> Bool {
    (monitor.x, monitor.y, monitor.transform) == (x, y, transform)
  }

  /// The whole rule for hyprland.conf. It replaces the one of this name, so that nothing may be left out.
  var keyword: String {
    let base = "keyword monitor \(name),\(mode),\(x)x\(y),\(Self.decimals(scale, 6)),transform,\(transform)"
    return isDeep ? base + ",bitdepth,10" : base
  }

  /// The turn alone. Hyprland changes the rule of this very name; if there is none, it says `ok` and does nothing.
  var turnKeyword: String { "keyword monitor \(name),transform,\(transform)" }

  /// For hyprland.lua. What is left out stays as in the rule of this name, if there is one.
  var lua: String {
    let place = "mode = \"\(mode)\", position = \"\(x)x\(y)\", scale = \"\(Self.decimals(scale, 6))\""
    let depth = isDeep ? ", bitdepth = 10" : ""
    return "hl.monitor({ output = \(Self.luaText(name)), \(place), transform = \(transform)\(depth) })"
  }

  /// - Parameter text: without line ends, which the name of no connector or device has.
  static func luaText(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
  }

  /// With a point, whatever the locale; numbers here have at most four digits before it.
  private static func decimals(_ number: Double, _ places: Int) -> String {
    let unit = (0..<places).reduce(1) { power, _ in power * 10 }
    let whole = Int((number * Double(unit)).rounded())
    let fraction = String(whole % unit)
    return "\(whole / unit)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
