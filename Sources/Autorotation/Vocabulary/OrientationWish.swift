// SPDX-License-Identifier: MIT

/// Which way a person wants something turned.
package enum OrientationWish: Equatable, Sendable {
  case to(InterfaceOrientation)
  /// A quarter turn from how it stands: clockwise, anticlockwise.
  case next, previous
  /// The nearer of the two pictures that lie so.
  case landscape, portrait
}

extension OrientationWish {
  private static let named: [(word: String, wish: Self)] =
    InterfaceOrientation.allCases.map { ($0.word, .to($0)) }
    + [("landscape", .landscape), ("portrait", .portrait), ("next", .next), ("previous", .previous)]

  package static var allWords: [String] { named.map(\.word) }

  package init?(word: String) {
    guard let named = Self.named.first(where: { $0.word == word }) else { return nil }
    self = named.wish
  }

  package var word: String { Self.named.first { $0.wish == self }?.word ?? "" }

  /// `nil` where that depends on what is shown.
  package var orientation: InterfaceOrientation? {
    if case .to(let orientation) = self { orientation } else { nil }
  }
}

/// What the words of a wish depend on.
struct Standing {
  var shown: InterfaceOrientation
  /// How the device is held, if that is known, and matters for what is to be turned.
  var held: InterfaceOrientation?
  /// Which way the natural picture lies.
  var naturalAspect: PanelAspect
}

extension OrientationWish {
  /// Those that it may mean, the first one first; never none.
  func orientations(from standing: Standing) -> [InterfaceOrientation] {
    switch self {
    case .to(let orientation): [orientation]
    case .next: (1...3).map { standing.shown.turned(quarters: -$0) }
    case .previous: (1...3).map { standing.shown.turned(quarters: $0) }
    case .landscape: standing.nearestFirst(.landscape(on: standing.naturalAspect))
    case .portrait: standing.nearestFirst(.portrait(on: standing.naturalAspect))
    }
  }
}

extension Standing {
  /// The nearer to how the device is held, so that the picture is not upside down; where that says nothing the nearer
  /// to what is shown, and then the nearer to natural. Ties go to the earlier word.
  fileprivate func nearestFirst(_ mask: OrientationMask) -> [InterfaceOrientation] {
    let distances = { (orientation: InterfaceOrientation) in
      [held ?? shown, shown, .normal].map { $0.quarterTurns(to: orientation) } + [Int(orientation.rawValue)]
    }
    return mask.orientations.sorted { distances($0).lexicographicallyPrecedes(distances($1)) }
  }
}

extension InterfaceOrientation {
  func turned(quarters: Int) -> Self {
    Self(rawValue: UInt8((Int(rawValue) + quarters) & 3)) ?? self
  }
}
