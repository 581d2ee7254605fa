// SPDX-License-Identifier: MIT

import Autorotation

/// What the monitors have to be when one is turned, and what they were.
struct HyprlandTurn: Equatable {
  let name: String
  private let wishes: [HyprlandRule]
  private let before: [HyprlandRule]

  init(
    _ name: String, to transform: DisplayTransform, among monitors: [HyprlandMonitor],
    visited: VisitedArrangements
  ) throws(RotationFailure) {
    guard let monitor = monitors.first(where: { $0.name == name }) else {
      throw .noSuchOutput(name, among: monitors.map(\.name))
    }
    guard monitor.isActive else { throw .switchedOff(name) }
    guard monitor.hasPower else { throw .isDark(name) }
    guard !name.contains(where: { $0 == "," || $0 == ";" || $0 == "/" || $0.isNewline }) else {
      throw .unspeakable(name)
    }
    self.name = name
    let laid = monitors.filter { $0.isActive && (!$0.isMirror || $0.name == name) }
    guard laid.count <= HeadLayout.mostNeighbours else { throw .tooMany(laid.count) }
    let places = Self.layout(laid, turning: monitor, to: transform, visited)
    wishes = zip(laid, places).map { each, place in
      let turn = each.name == name ? transform : each.turn
      return HyprlandRule(each, x: place.x, y: place.y, transform: each.transform(for: turn))
    }
    before = laid.map { HyprlandRule($0, x: $0.x, y: $0.y, transform: $0.transform) }
  }

  private static func layout(
    _ laid: [HyprlandMonitor], turning monitor: HyprlandMonitor, to transform: DisplayTransform,
    _ visited: VisitedArrangements
  ) -> [ScreenRectangle] {
    let size = monitor.rectangle(turned: transform)
    return visited.places(
      of: laid.map { ($0.name, $0.rectangle) }, resizing: laid.firstIndex(of: monitor) ?? 0,
      width: size.width, height: size.height)
  }

  var rule: HyprlandRule? { wishes.first { $0.name == name } }

  /// Whether the monitor itself is turned, wherever the others are.
  func isTurned(in monitors: [HyprlandMonitor]) -> Bool {
    monitors.contains { $0.name == name && $0.isActive && $0.transform == rule?.transform }
  }

  /// What does not hold yet. A monitor that is gone meanwhile has nothing to be wrong.
  func unmet(in monitors: [HyprlandMonitor]) -> [HyprlandRule] {
    Self.unmet(wishes, in: monitors)
  }

  /// What has to be put back.
  func changed(in monitors: [HyprlandMonitor]) -> [HyprlandRule] {
    Self.unmet(before, in: monitors)
  }

  private static func unmet(_ rules: [HyprlandRule], in monitors: [HyprlandMonitor]) -> [HyprlandRule] {
    rules.filter { rule in
      monitors.first { $0.name == rule.name && $0.isActive }.map { !rule.isMet(by: $0) } ?? false
    }
  }
}

extension RotationFailure {
  fileprivate static func switchedOff(_ name: String) -> Self {
    Self("\(name) is switched off: switch it on first, in the Hyprland configuration")
  }

  fileprivate static func tooMany(_ count: Int) -> Self {
    Self("Hyprland tells of \(count) lit monitors, which nobody has: see what `hyprctl monitors` tells")
  }

  fileprivate static func unspeakable(_ name: String) -> Self {
    Self("the monitor “\(name)” has a name that cannot be said to Hyprland: name another in [display] output")
  }
}
