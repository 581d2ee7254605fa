// SPDX-License-Identifier: MIT

/// Which way a person wants something turned.
package enum OrientationWish: Equatable, Sendable {
  case to(InterfaceOrientation)
  /// A quarter turn from how it stands: clockwise, anticlockwise.
  case next, previous

  /// Those that it may mean, the first one first; never none.
  func orientations(from current: InterfaceOrientation) -> [InterfaceOrientation] {
    switch self {
    case .to(let orientation): [orientation]
    case .next: (1...3).map { current.turned(quarters: -$0) }
    case .previous: (1...3).map { current.turned(quarters: $0) }
    }
  }
}

extension InterfaceOrientation {
  func turned(quarters: Int) -> Self {
    Self(rawValue: UInt8((Int(rawValue) + quarters) & 3)) ?? self
  }
}
