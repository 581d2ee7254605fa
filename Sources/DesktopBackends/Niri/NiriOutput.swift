// SPDX-License-Identifier: MIT

import Autorotation

/// An output as `Outputs` tells it.
struct NiriOutput: Equatable {
  var name: String
  /// Of the mode, in pixels.
  var width: Int
  var height: Int
  var transform: NiriTransform
  /// Its place in the layout; `nil` if it shows nothing.
  var rectangle: ScreenRectangle?

  /// - Parameter value: what is in `Ok`.
  /// - Returns: by name; `nil` if those are no outputs.
  static func all(_ value: JSONValue) -> [Self]? {
    value["Outputs"]?.members.map { Self(name: $0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  private init(name: String, _ value: JSONValue) {
    self.name = name
    let modes = value["modes"]?.elements ?? []
    let current = value["current_mode"]?.int.flatMap { modes.indices.contains($0) ? modes[$0] : nil }
    let mode = current ?? modes.first { $0["is_preferred"]?.bool == true } ?? modes.first
    width = max(0, Self.bounded(mode?["width"]))
    height = max(0, Self.bounded(mode?["height"]))
    let logical = value["logical"]
    transform = logical?["transform"]?.string.flatMap(NiriTransform.init) ?? NiriTransform(turn: .none)
    rectangle = logical.map {
      ScreenRectangle(
        x: Self.bounded($0["x"]), y: Self.bounded($0["y"]),
        width: max(0, Self.bounded($0["width"])), height: max(0, Self.bounded($0["height"])))
    }
  }

  /// No layout is larger; sums of such numbers do not overflow.
  private static func bounded(_ value: JSONValue?) -> Int {
    min(max(value?.int ?? 0, -(1 << 20)), 1 << 20)
  }

  var output: Output {
    Output(
      name: name, isBuiltIn: Output.isNamedLikePanel(name),
      isExternal: Output.isNamedLikeMonitor(name), isActive: rectangle != nil, width: width,
      height: height, transform: transform.turn)
  }
}

/// A transform in niri's words, which count like `wl_output`.
struct NiriTransform: Equatable {
  var turn: DisplayTransform
  var isFlipped = false

  private static let words: [(String, DisplayTransform, Bool)] = [
    ("Normal", .none, false), ("90", .turned90, false), ("180", .turned180, false),
    ("270", .turned270, false),
    ("Flipped", .none, true), ("Flipped90", .turned90, true), ("Flipped180", .turned180, true),
    ("Flipped270", .turned270, true),
  ]

  init(turn: DisplayTransform, isFlipped: Bool = false) {
    self.turn = turn
    self.isFlipped = isFlipped
  }

  init?(_ word: String) {
    guard let found = Self.words.first(where: { $0.0 == word }) else { return nil }
    self.init(turn: found.1, isFlipped: found.2)
  }

  var word: String { Self.words.first { $0.1 == turn && $0.2 == isFlipped }?.0 ?? "Normal" }
}
