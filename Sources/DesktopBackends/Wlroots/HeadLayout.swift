// SPDX-License-Identifier: MIT

import Autorotation

/// What a compositor says of its outputs over wlr-output-management, as plain values.
struct HeadLayout: Equatable, Sendable {
  /// An output, lit or not.
  struct Head: Equatable, Sendable {
    /// Our own number for it.
    var id: UInt32
    /// Empty if the compositor does not tell.
    var name = ""
    var isEnabled = false
    /// Whether it shows anything: labwc goes on to call what is dark enabled.
    var hasPower = true
    var x: Int32 = 0
    var y: Int32 = 0
    /// `wl_output.transform`: 0...3, with 4 added for a mirrored picture.
    var transform: Int32 = 0
    var scale = 1.0
    /// Pixels of the mode, before any turn; `nil` if it is not known.
    var mode: PictureSize?
    /// How large the picture is on the desktop as it is turned now, in the compositor's own words.
    var picture: PictureSize?
  }

  var heads: [Head] = []

  /// Every display that has a name.
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

  /// What must become of it when outputs are turned.
  /// - Throws: why it cannot be.
  func turning(
    _ turns: [PanelTurn], visited: VisitedArrangements = VisitedArrangements()
  ) throws(Message) -> Self {
    var target = self
    for turn in turns { target.heads[try turnable(turn.output)].turn(to: turn.transform) }
    guard turns.allSatisfy({ target[$0.output]?.rectangle != nil }) else { return target }
    let laid = heads.indices.filter { heads[$0].isEnabled && heads[$0].rectangle != nil }
    guard laid.count <= ScreenLayout.mostNeighbours else { return target }
    // Where the upper left corner is, it stays.
    let corner = ScreenRectangle(around: laid.compactMap { heads[$0].rectangle })
    let places = visited.places(
      of: laid.compactMap { heads[$0].laidDisplay(from: corner) },
      becoming: laid.compactMap { target.heads[$0].laidDisplay(from: corner) },
      together: turns.compactMap { self[$0.output].map { "\($0.id)" } })
    for (index, place) in zip(laid, places) {
      target.heads[index].x = Int32(clamping: place.x + corner.x)
      target.heads[index].y = Int32(clamping: place.y + corner.y)
    }
    return target
  }

  private func turnable(_ name: String) throws(Message) -> Int {
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

  /// The turn without the mirroring. A number that no transform has counts as none.
  var turn: DisplayTransform {
    guard (0...7).contains(transform) else { return .none }
    return DisplayTransform(rawValue: UInt8(transform & 3)) ?? .none
  }

  mutating func turn(to turn: DisplayTransform) {
    if turn.swapsSides != self.turn.swapsSides { picture = picture?.onItsSide }
    let mirrored = (4...7).contains(transform) ? transform & 4 : 0
    transform = mirrored | Int32(turn.rawValue)
  }

  /// Where its picture is on the desktop, if that is known.
  var rectangle: ScreenRectangle? {
    size.map { ScreenRectangle(x: Int(x), y: Int(y), width: $0.width, height: $0.height) }
  }

  fileprivate func laidDisplay(from corner: ScreenRectangle) -> LaidDisplay? {
    rectangle.map {
      LaidDisplay(name: "\(id)", rectangle: $0.moved(x: $0.x - corner.x, y: $0.y - corner.y), turn: turn)
    }
  }

  /// Those that a protocol can tell, in steps of 1/256, as far as anybody can see anything.
  private static let scales = 1.0 / 256...1024

  private var size: PictureSize? {
    guard let mode, mode.isSomething, Self.scales.contains(scale) else {
      return picture.flatMap { $0.isSomething ? $0 : nil }
    }
    let lying = turn.swapsSides ? mode.onItsSide : mode
    let computed = PictureSize(
      width: max(1, Int(Double(lying.width) / scale)), height: max(1, Int(Double(lying.height) / scale)))
    guard let picture, picture.isAlmost(computed) else { return computed }
    return picture
  }
}

extension PictureSize {
  /// Whether two numbers for one size differ by rounding: the scale is told in steps of 1/256 only. More than that,
  /// and one of them is of another moment.
  fileprivate func isAlmost(_ other: Self) -> Bool {
    abs(width - other.width) <= max(2, other.width / 100)
      && abs(height - other.height) <= max(2, other.height / 100)
  }
}

extension Message {
  /// Sent back like that, they would all go dark.
  fileprivate static let allAreOff = Self(
    .outputDark, "the compositor calls all its outputs switched off",
    next: "switch one on; if this is sway before 1.9, which says so of outputs that it made up itself, use "
      + "--backend sway")
}
