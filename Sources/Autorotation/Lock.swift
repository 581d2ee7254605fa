// SPDX-License-Identifier: MIT

/// The person's word that the picture shall stay.
package struct Lock: Equatable, Sendable {
  /// What ends a lock by itself.
  package enum End: Equatable, Sendable {
    case at(Instant)
    /// The device leaves tablet posture.
    case unfolded
    /// The application, by one of its names or a pattern, loses focus.
    case whileFocused(application: String)
  }

  package var orientation: InterfaceOrientation
  /// `nil` holds until it is taken back, even over a restart.
  package var end: End?

  package init(orientation: InterfaceOrientation, end: End? = nil) {
    self.orientation = orientation
    self.end = end
  }
}

/// An application's wish, made over the bus, for as long as it lives.
package struct OrientationRequest: Equatable, Sendable {
  package var id: UInt32
  package var mask: [OrientationWord]
  package var application: String
  package var why: String

  package init(id: UInt32, mask: [OrientationWord], application: String, why: String) {
    self.id = id
    self.mask = mask
    self.application = application
    self.why = why
  }
}
