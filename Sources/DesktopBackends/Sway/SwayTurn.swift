// SPDX-License-Identifier: MIT

import Autorotation

/// What has to be said to sway to turn an output, and how to see that it came about.
struct SwayTurn: Equatable {
  private struct Wish: Equatable {
    var name: String
    /// `nil` for what is not lit now.
    var transform: SwayTransform?
    /// `nil` where sway places it.
    var rectangle: ScreenRectangle?

    func isMet(by output: SwayOutput) -> Bool {
      transform.map { $0 == output.transform } ?? true && rectangle.map { $0 == output.rectangle } ?? true
    }
  }

  private let wishes: [Wish]
  private let before: [Wish]
  private let earlier: [SwayOutput]
  /// Where each output is to lie, if they had to be placed.
  let places: [String: ScreenRectangle]

  /// Thinks out the new layout. Where others have to move, all are placed, since sway puts those that were
  /// never placed to the right of those that were.
  /// - Parameter absent: the places that we gave to outputs which are switched off or gone now. sway keeps those
  ///   places for when they come back.
  init(
    _ name: String, to transform: DisplayTransform, among outputs: [SwayOutput],
    absent: [String: ScreenRectangle] = [:], visited: VisitedArrangements = VisitedArrangements()
  ) throws(RotationFailure) {
    guard let output = outputs.first(where: { $0.name == name }) else {
      throw .noSuchOutput(name, among: outputs.map(\.name))
    }
    guard output.isActive else { throw .switchedOff(name) }
    guard output.hasPower else { throw .dark(name) }
    guard SwayInput.isAddressable(name) else { throw .unspeakable(name) }
    let laid = outputs.filter(\.isActive)
    let away = absent.filter { place in !laid.contains { $0.name == place.key } }.sorted { $0.key < $1.key }
    guard laid.count + away.count <= HeadLayout.mostNeighbours else { throw .tooMany(laid.count) }
    let tiles = laid.map { ($0.name, $0.rectangle) } + away.map { ($0.key, $0.value) }
    let places = Self.places(of: tiles, turning: output, to: transform, visited)
    let needsPlaces = zip(tiles, places).contains { $0.0 != name && $0.1 != $1 }
    let turned = SwayTransform(turn: transform, isFlipped: output.transform.isFlipped)
    wishes = tiles.indices.map { index in
      let each = index < laid.count ? laid[index].transform : nil
      return Wish(
        name: tiles[index].0, transform: tiles[index].0 == name ? turned : each,
        rectangle: needsPlaces ? places[index] : nil)
    }
    before = tiles.indices.map { index in
      Wish(
        name: tiles[index].0, transform: index < laid.count ? laid[index].transform : nil,
        rectangle: needsPlaces ? tiles[index].1 : nil)
    }
    earlier = laid
    self.places = needsPlaces ? Dictionary(zip(tiles.map(\.0), places)) { first, _ in first } : [:]
  }

  private static func places(
    of tiles: [(name: String, rectangle: ScreenRectangle)], turning output: SwayOutput,
    to transform: DisplayTransform, _ visited: VisitedArrangements
  ) -> [ScreenRectangle] {
    let old = output.rectangle
    let swaps = output.transform.turn.swapsSides != transform.swapsSides
    return visited.places(
      of: tiles, resizing: tiles.firstIndex { $0.name == output.name } ?? 0,
      width: swaps ? old.height : old.width, height: swaps ? old.width : old.height)
  }

  /// The commands, all in one message, so that no picture is drawn in between.
  var commands: String { Self.commands(from: before, to: wishes) }

  /// What takes them back.
  var undoing: String { Self.commands(from: wishes, to: before) }

  private static func commands(from old: [Wish], to new: [Wish]) -> String {
    zip(old, new).compactMap { old, new in
      var words = ""
      if let transform = new.transform, transform != old.transform {
        words += " transform \(transform.words)"
      }
      if let place = new.rectangle { words += " position \(place.x) \(place.y)" }
      return words.isEmpty ? nil : "output \"\(new.name)\"\(words)"
    }.joined(separator: ", ")
  }

  /// Whether it came about. An output that is gone meanwhile has no place to be wrong.
  func isDone(_ name: String, in outputs: [SwayOutput]) -> Bool {
    let lit = outputs.filter(\.isActive)
    guard lit.contains(where: { $0.name == name }) else { return false }
    return Self.areMet(wishes, by: lit)
  }

  /// Whether the output itself has turned, wherever its neighbours lie.
  func hasTurned(_ name: String, in outputs: [SwayOutput]) -> Bool {
    let wish = wishes.first { $0.name == name }?.transform
    return outputs.contains { $0.name == name && $0.isActive && $0.transform == wish }
  }

  func isUndone(in outputs: [SwayOutput]) -> Bool {
    Self.areMet(before, by: outputs.filter(\.isActive))
  }

  /// Outputs as they would be if this had never been said: what came about of it is as before instead.
  func undone(in outputs: [SwayOutput]) -> [SwayOutput] {
    let changes = zip(before, wishes).filter { $0 != $1 }.map(\.1)
    return outputs.map { output in
      guard changes.contains(where: { $0.name == output.name && $0.isMet(by: output) }) else { return output }
      return earlier.first { $0.name == output.name } ?? output
    }
  }

  private static func areMet(_ wishes: [Wish], by outputs: [SwayOutput]) -> Bool {
    wishes.allSatisfy { wish in outputs.first { $0.name == wish.name }.map(wish.isMet) ?? true }
  }
}

extension RotationFailure {
  fileprivate static func switchedOff(_ name: String) -> Self {
    Self("\(name) is switched off: switch it on first, with `swaymsg output \(name) enable`")
  }

  fileprivate static func dark(_ name: String) -> Self {
    Self("\(name) is dark: it is turned when it shows a picture again")
  }

  fileprivate static func tooMany(_ count: Int) -> Self {
    Self("sway tells of \(count) lit outputs, which nobody has: see what `swaymsg -t get_outputs` tells")
  }

  fileprivate static func unspeakable(_ name: String) -> Self {
    Self(
      "the output “\(name)” has a name that cannot be said in a sway command: name another in [display] output"
    )
  }
}
