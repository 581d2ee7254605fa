// SPDX-License-Identifier: MIT

import Autorotation

/// What has to be said to sway to turn an output, and how to see that it came about.
struct SwayTurn: Equatable {
  private struct Wish: Equatable {
    var name: String
    var transform: SwayTransform
    /// `nil` where sway places it.
    var rectangle: ScreenRectangle?

    func isMet(by output: SwayOutput) -> Bool {
      output.transform == transform && rectangle.map { $0 == output.rectangle } ?? true
    }
  }

  private var wishes: [Wish]
  private let before: [Wish]

  /// Thinks out the new layout. Where others have to move, all are placed, since sway puts those that were
  /// never placed to the right of those that were.
  init(
    _ name: String, to transform: DisplayTransform, among outputs: [SwayOutput]
  ) throws(RotationFailure) {
    guard let output = outputs.first(where: { $0.name == name }) else {
      throw .noSuchOutput(name, among: outputs.map(\.name))
    }
    guard output.isActive else { throw .switchedOff(name) }
    guard !name.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }) else {
      throw .unspeakable(name)
    }
    let lit = outputs.filter(\.isActive)
    guard lit.count <= HeadLayout.mostNeighbours else { throw .tooMany(lit.count) }
    let places = Self.layout(lit, turning: output, to: transform)
    let needsPlaces = zip(lit, places).contains { $0.name != name && $0.rectangle != $1 }
    wishes = zip(lit, places).map { each, place in
      let turn = each.name == name ? transform : each.transform.turn
      let wanted = SwayTransform(turn: turn, isFlipped: each.transform.isFlipped)
      return Wish(name: each.name, transform: wanted, rectangle: needsPlaces ? place : nil)
    }
    before = lit.map {
      Wish(name: $0.name, transform: $0.transform, rectangle: needsPlaces ? $0.rectangle : nil)
    }
  }

  private static func layout(
    _ lit: [SwayOutput], turning output: SwayOutput, to transform: DisplayTransform
  ) -> [ScreenRectangle] {
    let old = output.rectangle
    let swaps = output.transform.turn.swapsSides != transform.swapsSides
    return ScreenLayout.places(
      of: lit.map(\.rectangle), resizing: lit.firstIndex(of: output) ?? 0,
      width: swaps ? old.height : old.width, height: swaps ? old.width : old.height)
  }

  /// The commands, all in one message, so that no picture is drawn in between.
  var commands: String { Self.commands(from: before, to: wishes) }

  /// What takes them back.
  var undoing: String { Self.commands(from: wishes, to: before) }

  private static func commands(from old: [Wish], to new: [Wish]) -> String {
    zip(old, new).compactMap { old, new in
      var words = ""
      if new.transform != old.transform { words += " transform \(new.transform.words)" }
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

  func isUndone(in outputs: [SwayOutput]) -> Bool {
    Self.areMet(before, by: outputs.filter(\.isActive))
  }

  private static func areMet(_ wishes: [Wish], by outputs: [SwayOutput]) -> Bool {
    wishes.allSatisfy { wish in outputs.first { $0.name == wish.name }.map(wish.isMet) ?? true }
  }
}

extension RotationFailure {
  fileprivate static func switchedOff(_ name: String) -> Self {
    Self("\(name) is switched off: switch it on first, with `swaymsg output \(name) enable`")
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
