// SPDX-License-Identifier: MIT

import Autorotation

/// A compositor's outputs from wlr-output-management, as plain values.
struct HeadLayout: Equatable, Sendable {
  /// An output, enabled or not.
  struct Head: Equatable, Sendable {
    /// autorotate's own number for it.
    var id: UInt32
    /// Empty if the compositor does not send it.
    var name = ""
    var isEnabled = false
    /// Whether its power is on: labwc reports outputs that are off as enabled.
    var hasPower = true
    var x: Int32 = 0
    var y: Int32 = 0
    /// `wl_output.transform`: 0...3, with 4 added for a flipped image.
    var transform: Int32 = 0
    var scale = 1.0
    /// The size of the mode in pixels, before rotation; `nil` if unknown.
    var mode: PixelSize?
    /// The size in the layout as rotated now, as the compositor reports it.
    var logicalSize: PixelSize?
  }

  var heads: [Head] = []

  /// The outputs that have a name.
  var outputs: [Output] {
    heads.filter { !$0.name.isEmpty }.map { head in
      Output(
        name: head.name, isBuiltIn: Output.isNamedLikePanel(head.name),
        isExternal: Output.isNamedLikeMonitor(head.name), isActive: head.isLit,
        width: head.mode?.width ?? 0, height: head.mode?.height ?? 0, scale: head.scale,
        transform: head.turn)
    }
  }

  subscript(name: String) -> Head? {
    heads.first { $0.name == name }
  }

  /// The layout with some outputs rotated.
  /// - Throws: why they cannot be rotated.
  func rotating(
    _ turns: [PanelRotation], visited: VisitedArrangements = VisitedArrangements()
  ) throws(Message) -> Self {
    var target = self
    for turn in turns { target.heads[try rotatableIndex(turn.output)].rotate(to: turn.transform) }
    guard turns.allSatisfy({ target[$0.output]?.rectangle != nil }) else { return target }
    let laid = heads.indices.filter { heads[$0].isEnabled && heads[$0].rectangle != nil }
    guard laid.count <= ScreenLayout.mostNeighbours else { return target }
    // The upper left corner of the layout stays where it is.
    let corner = ScreenRectangle(around: laid.compactMap { heads[$0].rectangle })
    let places = visited.places(
      of: laid.compactMap { heads[$0].laidDisplay(from: corner) },
      rotating: turns.compactMap { turn in
        self[turn.output].map { PanelRotation("\($0.id)", to: turn.transform) }
      })
    for (index, place) in zip(laid, places) {
      target.heads[index].x = Int32(clamping: place.x + corner.x)
      target.heads[index].y = Int32(clamping: place.y + corner.y)
    }
    return target
  }

  private func rotatableIndex(_ name: String) throws(Message) -> Int {
    guard let index = heads.firstIndex(where: { $0.name == name }) else {
      throw .noSuchOutput(name, among: outputs.map(\.name))
    }
    guard heads.contains(where: \.isEnabled) else { throw .allAreOff }
    guard heads[index].isEnabled else {
      throw .switchedOff(
        name, next: "switch it on first, for instance with `wlr-randr --output \(name) --on`")
    }
    guard heads[index].hasPower else { throw .isDark(name) }
    return index
  }
}

extension HeadLayout.Head {
  var isLit: Bool { isEnabled && hasPower }

  /// The rotation without the flip. An invalid transform counts as none.
  var turn: DisplayTransform {
    guard (0...7).contains(transform) else { return .none }
    return DisplayTransform(rawValue: UInt8(transform & 3)) ?? .none
  }

  mutating func rotate(to turn: DisplayTransform) {
    if turn.swapsSides != self.turn.swapsSides { logicalSize = logicalSize?.sidesSwapped }
    let flip = (4...7).contains(transform) ? transform & 4 : 0
    transform = flip | Int32(turn.rawValue)
  }

  /// Its rectangle in the layout, if known.
  var rectangle: ScreenRectangle? {
    size.map { ScreenRectangle(x: Int(x), y: Int(y), width: $0.width, height: $0.height) }
  }

  fileprivate func laidDisplay(from corner: ScreenRectangle) -> PlacedDisplay? {
    rectangle.map {
      PlacedDisplay(name: "\(id)", rectangle: $0.moved(x: $0.x - corner.x, y: $0.y - corner.y), turn: turn)
    }
  }

  /// The plausible scales that the protocol can express, in steps of 1/256.
  private static let scales = 1.0 / 256...1024

  private var size: PixelSize? {
    guard let mode, mode.isPlausible, Self.scales.contains(scale) else {
      return logicalSize.flatMap { $0.isPlausible ? $0 : nil }
    }
    let rotated = turn.swapsSides ? mode.sidesSwapped : mode
    let computed = PixelSize(
      width: max(1, Int(Double(rotated.width) / scale)), height: max(1, Int(Double(rotated.height) / scale)))
    guard let logicalSize, logicalSize.isNearlyEqual(to: computed) else { return computed }
    return logicalSize
  }
}

extension PixelSize {
  /// Whether two sizes differ only by rounding: the scale is sent in steps of 1/256. A larger difference means that
  /// one of them is outdated.
  fileprivate func isNearlyEqual(to other: Self) -> Bool {
    abs(width - other.width) <= max(2, other.width / 100)
      && abs(height - other.height) <= max(2, other.height / 100)
  }
}

extension Message {
  /// A configuration made from this would switch off all outputs.
  fileprivate static let allAreOff = Self(
    .outputDark, "the compositor reports all its outputs as switched off",
    next: "switch one on; if this is sway before 1.9, which reports this for headless outputs, use "
      + "--backend sway")
}
