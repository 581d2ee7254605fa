// SPDX-License-Identifier: MIT

import Autorotation

/// What the outputs have to be when one is turned, and what they were.
struct NiriTurn: Equatable {
  /// A change of one output.
  enum Change: Equatable {
    case transform(String, NiriTransform)
    case position(String, x: Int, y: Int)

    var output: String {
      switch self {
      case .transform(let output, _), .position(let output, _, _): output
      }
    }

    /// The request, a line.
    var text: String {
      let name = JSONValue.quoted(output)
      let action =
        switch self {
        case .transform(_, let transform): #"{"Transform":{"transform":"\#(transform.word)"}}"#
        case .position(_, let x, let y): #"{"Position":{"position":{"Specific":{"x":\#(x),"y":\#(y)}}}}"#
        }
      return #"{"Output":{"output":\#(name),"action":\#(action)}}"# + "\n"
    }
  }

  private struct Wish: Equatable {
    var name: String
    var transform: NiriTransform
    var x: Int
    var y: Int
  }

  let name: String
  private let wishes: [Wish]
  private let before: [Wish]

  init(
    _ name: String, to transform: DisplayTransform, among outputs: [NiriOutput],
    visited: VisitedArrangements
  ) throws(RotationFailure) {
    guard let output = outputs.first(where: { $0.name == name }) else {
      throw .noSuchOutput(name, among: outputs.map(\.name))
    }
    let lit = outputs.filter { $0.rectangle != nil }
    guard let index = lit.firstIndex(of: output), let old = output.rectangle else { throw .switchedOff(name) }
    guard lit.count <= HeadLayout.mostNeighbours else { throw .tooMany(lit.count) }
    self.name = name
    let swaps = output.transform.turn.swapsSides != transform.swapsSides
    let places = visited.places(
      of: lit.compactMap { each in each.rectangle.map { (each.name, $0) } }, resizing: index,
      width: swaps ? old.height : old.width, height: swaps ? old.width : old.height)
    wishes = zip(lit, places).map { each, place in
      let turn = each.name == name ? transform : each.transform.turn
      let wanted = NiriTransform(turn: turn, isFlipped: each.transform.isFlipped)
      return Wish(name: each.name, transform: wanted, x: place.x, y: place.y)
    }
    before = lit.compactMap { each in
      each.rectangle.map { Wish(name: each.name, transform: each.transform, x: $0.x, y: $0.y) }
    }
  }

  /// What does not hold yet: first the turn, after which niri may have moved the others by itself, then the places.
  func unmet(in outputs: [NiriOutput]) -> [Change] {
    Self.changes(wishes, in: outputs)
  }

  /// What has to be put back.
  func changed(in outputs: [NiriOutput]) -> [Change] {
    Self.changes(before, in: outputs)
  }

  private static func changes(_ wishes: [Wish], in outputs: [NiriOutput]) -> [Change] {
    let turns = wishes.filter { wish in
      outputs.contains { $0.name == wish.name && $0.transform != wish.transform }
    }
    guard turns.isEmpty else { return turns.map { .transform($0.name, $0.transform) } }
    let isElsewhere = wishes.contains { wish in
      outputs.contains { output in
        output.name == wish.name && output.rectangle.map { ($0.x, $0.y) != (wish.x, wish.y) } ?? false
      }
    }
    // All of them: beside one that it has a place for, niri puts those that it has none for where it likes.
    let present = wishes.filter { wish in outputs.contains { $0.name == wish.name && $0.rectangle != nil } }
    return isElsewhere ? present.map { .position($0.name, x: $0.x, y: $0.y) } : []
  }
}

extension RotationFailure {
  fileprivate static func switchedOff(_ name: String) -> Self {
    Self("\(name) is switched off: switch it on first, with `niri msg output \(name) on`")
  }

  fileprivate static func tooMany(_ count: Int) -> Self {
    Self("niri tells of \(count) lit outputs, which nobody has: see what `niri msg outputs` tells")
  }
}
