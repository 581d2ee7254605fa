// SPDX-License-Identifier: MIT

/// The orientation that a user asks for: absolute, or relative to the present one.
package enum RotationTarget: Equatable, Sendable {
  case to(InterfaceOrientation)
  /// A quarter turn from the present orientation: clockwise, anticlockwise.
  case next, previous
  /// The nearer of the two orientations with this aspect.
  case landscape, portrait

  private static let named: [(word: String, target: Self)] =
    InterfaceOrientation.allCases.map { ($0.word, .to($0)) }
    + [("landscape", .landscape), ("portrait", .portrait), ("next", .next), ("previous", .previous)]

  package static var allWords: [String] { named.map(\.word) }

  package init?(word: String) {
    guard let named = Self.named.first(where: { $0.word == word }) else { return nil }
    self = named.target
  }

  package var word: String { Self.named.first { $0.target == self }?.word ?? "" }

  /// `nil` if it depends on the present orientation.
  package var orientation: InterfaceOrientation? {
    if case .to(let orientation) = self { orientation } else { nil }
  }

  /// The orientations that it may mean, best first; never empty.
  /// - Parameters:
  ///   - shown: the present orientation.
  ///   - device: the device orientation, if it is known and applies to this output.
  ///   - natural: the panel's aspect in normal orientation.
  func orientations(
    from shown: InterfaceOrientation, device: InterfaceOrientation? = nil, on natural: PanelAspect
  ) -> [InterfaceOrientation] {
    let places = [device ?? shown, shown, .normal]
    return switch self {
    case .to(let orientation): [orientation]
    case .next: (1...3).map { shown.rotated(quarters: -$0) }
    case .previous: (1...3).map { shown.rotated(quarters: $0) }
    case .landscape: OrientationMask.landscape(on: natural).nearestFirst(places)
    case .portrait: OrientationMask.portrait(on: natural).nearestFirst(places)
    }
  }
}

extension OrientationMask {
  /// Nearest to the device orientation first, so that the screen is not upside down; then nearest to the present
  /// orientation, then to normal. Ties go to the lower raw value.
  fileprivate func nearestFirst(_ places: [InterfaceOrientation]) -> [InterfaceOrientation] {
    let distances = { (orientation: InterfaceOrientation) in
      places.map { $0.quarterTurns(to: orientation) } + [Int(orientation.rawValue)]
    }
    return orientations.sorted { distances($0).lexicographicallyPrecedes(distances($1)) }
  }
}
