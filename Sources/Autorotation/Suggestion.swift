// SPDX-License-Identifier: MIT

/// The rotation suggested while locked, and the last one published.
struct SuggestionState: Sendable {
  var current: Suggestion?
  /// The rotation that can be accepted now.
  private(set) var published: InterfaceOrientation?

  /// - Parameter wanted: the rotation that the lock forbids.
  /// - Returns: whether `published` has changed.
  mutating func update(_ wanted: InterfaceOrientation?, at now: Instant) -> Bool {
    if wanted != current?.orientation { current = wanted.map { Suggestion($0, at: now) } }
    current?.expire(at: now)
    guard current?.open != published else { return false }
    published = current?.open
    return true
  }
}

/// A rotation that a lock forbids, suggested to the user: for a while, and once for each device orientation.
package struct Suggestion: Sendable {
  /// Long enough to find a key or a corner of the screen; a bar that keeps suggesting an unwanted rotation is a
  /// nuisance.
  package static let patience = Duration.seconds(10)

  let orientation: InterfaceOrientation
  /// `nil` once it was declined or has expired.
  private(set) var end: Instant?

  init(_ orientation: InterfaceOrientation, at now: Instant) {
    self.orientation = orientation
    end = now + Self.patience
  }

  /// The orientation that can be accepted now.
  var open: InterfaceOrientation? { end == nil ? nil : orientation }

  mutating func expire(at now: Instant) {
    if let end, end <= now { decline() }
  }

  mutating func decline() {
    end = nil
  }
}
