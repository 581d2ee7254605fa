// SPDX-License-Identifier: MIT

/// The person's wish that the picture stay as it is.
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
  /// `nil` for a lock that lasts until it is removed, even across a restart.
  package var end: End?

  package init(orientation: InterfaceOrientation, end: End? = nil) {
    self.orientation = orientation
    self.end = end
  }
}

/// An application's request over the bus, valid while its connection lives.
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
