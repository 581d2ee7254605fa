// SPDX-License-Identifier: MIT

/// What is offered while a lock forbids it, and what of it was published last.
struct SuggestionState: Sendable {
  var offer: Offer?
  /// The rotation that can be accepted now.
  private(set) var published: InterfaceOrientation?

  /// - Parameter wanted: the rotation that the lock forbids.
  /// - Returns: whether `published` has changed.
  mutating func update(_ wanted: InterfaceOrientation?, at now: Instant) -> Bool {
    if wanted != offer?.orientation { offer = wanted.map { Offer($0, at: now) } }
    offer?.expire(at: now)
    guard offer?.open != published else { return false }
    published = offer?.open
    return true
  }
}

/// A turn that a lock forbids, offered to the person: for a while, and once for each way the device is held.
package struct Offer: Sendable {
  /// Long enough to find a key or a corner of the screen; a bar that still offers what was not wanted is in the way.
  package static let patience = Duration.seconds(10)

  let orientation: InterfaceOrientation
  /// `nil` once it was declined, or nobody took it.
  private(set) var end: Instant?

  init(_ orientation: InterfaceOrientation, at now: Instant) {
    self.orientation = orientation
    end = now + Self.patience
  }

  /// What can be taken now.
  var open: InterfaceOrientation? { end == nil ? nil : orientation }

  mutating func expire(at now: Instant) {
    if let end, end <= now { decline() }
  }

  mutating func decline() {
    end = nil
  }
}
