// SPDX-License-Identifier: MIT

/// A rotation that a lock forbids, suggested to the user: for a while, and once for each device orientation.
package struct Suggestion: Sendable {
  /// Long enough to find a key or a corner of the screen; a bar that keeps suggesting an unwanted rotation is a
  /// nuisance.
  package static let lifetime = Duration.seconds(10)

  private var orientation: InterfaceOrientation?
  /// `nil` once it was declined or has expired.
  private(set) var end: Instant?
  /// The rotation that can be accepted now, as last published.
  private(set) var published: InterfaceOrientation?

  /// - Parameter wanted: the rotation that the lock forbids.
  /// - Returns: whether `published` has changed.
  mutating func update(_ wanted: InterfaceOrientation?, at now: Instant) -> Bool {
    if wanted != orientation { (orientation, end) = (wanted, wanted.map { _ in now + Self.lifetime }) }
    if let end, end <= now { decline() }
    let open = end == nil ? nil : orientation
    guard open != published else { return false }
    published = open
    return true
  }

  mutating func decline() {
    end = nil
  }
}
