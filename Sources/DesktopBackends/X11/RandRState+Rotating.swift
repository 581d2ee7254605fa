// SPDX-License-Identifier: MIT

import Autorotation

/// The state of the screen after a rotation, planned before anything is sent.
extension RandRState {
  /// - Throws: why the rotation is impossible.
  func rotating(
    _ rotations: [PanelRotation], visited: ArrangementHistory = ArrangementHistory()
  ) throws(Message) -> Self {
    var target = self
    for rotation in rotations {
      let rotated = try self.rotated(rotation)
      for index in crtcs.indices where crtcs[index].id == rotated.id { target.crtcs[index] = rotated }
    }
    let places = visited.places(
      of: placedDisplays, becoming: target.placedDisplays,
      together: rotations.compactMap { self[output: $0.output].map { "\($0.crtc)" } })
    let whole = ScreenRectangle(around: places)
    guard allowsScreen(width: whole.width, height: whole.height) else {
      throw .tooLarge(rotations.names, width: whole.width, height: whole.height, limit: largestScreen)
    }
    target.screen = screen.resized(to: whole.size)
    for (index, place) in zip(crtcs.indices.filter { crtcs[$0].isLit }, places) {
      target.crtcs[index].rectangle = place
    }
    return target
  }

  /// This state without the effects of a change from `old` to `new`, which may have been applied in part. Changes by
  /// other programs stay.
  func undoing(from old: Self, to new: Self) -> Self {
    let switchedOff = ScreenChange(from: old, to: new).switchedOff
    var undone = self
    for index in crtcs.indices {
      guard let before = old[crtc: crtcs[index].id] else { continue }
      let found = crtcs[index]
      let isOurs = found.isLit ? new[crtc: before.id]?.shows(found) ?? false : switchedOff.contains(before.id)
      if isOurs { undone.light(before, at: index) }
    }
    if undone.isLaidOut(as: old) {
      undone.screen = old.screen
    } else {
      let whole = ScreenRectangle(around: undone.crtcs.filter(\.isLit).map(\.rectangle))
      undone.screen = screen.resized(to: PixelSize(width: whole.maxX, height: whole.maxY))
    }
    return undone
  }

  private mutating func light(_ crtc: CRTC, at index: Int) {
    crtcs[index] = crtc
    for output in connectors.indices where crtc.outputs.contains(connectors[output].id) {
      connectors[output].crtc = crtc.id
    }
  }

  /// Whether the same outputs are connected and show the same.
  func isLaidOut(as other: Self) -> Bool {
    crtcs.count == other.crtcs.count && zip(crtcs, other.crtcs).allSatisfy { $0.shows($1) }
      && connectors.map(\.isConnected) == other.connectors.map(\.isConnected)
  }

  private var placedDisplays: [PlacedDisplay] {
    crtcs.filter(\.isLit).map {
      PlacedDisplay(
        name: "\($0.id)", rectangle: $0.rectangle,
        rotation: DisplayTransform(randrRotation: $0.rotation) ?? .none)
    }
  }

  private func rotated(_ rotation: PanelRotation) throws(Message) -> CRTC {
    var crtc = try rotatableCRTC(rotation.output, rotation.transform)
    let bits = rotation.transform.replacingRotation(in: crtc.rotation)
    guard let before = size(of: crtc, rotation: crtc.rotation), before == crtc.rectangle.size,
      let after = size(of: crtc, rotation: bits)
    else { throw .panned(rotation.output) }
    crtc.rotation = bits
    (crtc.rectangle.width, crtc.rectangle.height) = (after.width, after.height)
    return crtc
  }

  private func rotatableCRTC(_ name: String, _ transform: DisplayTransform) throws(Message) -> CRTC {
    guard let connector = self[output: name] else { throw .noSuchOutput(name, among: outputs.map(\.name)) }
    guard let crtc = self[crtc: connector.crtc], crtc.isLit else {
      throw .switchedOff(
        name, next: "switch it on first, for instance with `xrandr --output \(name.asArgument) --auto`")
    }
    guard crtc.rotations & transform.randrRotation != 0 else {
      throw .unsupported(name, offered: Set(randrRotations: crtc.rotations))
    }
    return crtc
  }
}

extension RandRState.Screen {
  /// The screen in another size, at the same pixel density.
  func resized(to new: PixelSize) -> Self {
    if new == size { return self }
    // Swapped exactly, so that rounding errors do not add up.
    if new == size.sidesSwapped { return Self(size: new, millimetres: millimetres.sidesSwapped) }
    return Self(
      size: new,
      millimetres: PixelSize(
        width: Self.scale(millimetres.width, size.width, to: new.width),
        height: Self.scale(millimetres.height, size.height, to: new.height)))
  }

  private static func scale(_ millimetres: Int, _ pixels: Int, to newPixels: Int) -> Int {
    guard pixels > 0 else { return millimetres }
    return max(1, (millimetres * newPixels + pixels / 2) / pixels)
  }
}

extension Message {
  fileprivate static func unsupported(_ name: String, offered: Set<DisplayTransform>) -> Self {
    let words = DisplayTransform.allCases.filter { $0 != .none && offered.contains($0) }.map { $0.words }
    let offers: Phrase =
      words.isEmpty ? "no rotation" : "only: \(words.dropFirst().reduce(words[0]) { "\($0), \($1)" })"
    return Self(
      .outputFixed, "the driver of \(name) offers \(offers)",
      next: "use a driver that rotates, such as Xorg's modesetting, or a Wayland session")
  }

  fileprivate static func tooLarge(_ name: String, width: Int, height: Int, limit: PixelSize) -> Self {
    Self(
      .rotationNoRoom,
      "with \(name) rotated, the screen would be \(width)x\(height), and the X server supports at most "
        + "\(limit.width)x\(limit.height)",
      next: "place the other displays differently, or choose smaller modes")
  }

  fileprivate static func panned(_ name: String) -> Self {
    Self(
      .rotationRefused, "\(name) is panned, and cannot be rotated",
      next: "switch panning off with `xrandr --output \(name.asArgument) --panning 0x0`")
  }
}
