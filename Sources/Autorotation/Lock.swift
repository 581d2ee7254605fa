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
  /// The posture that has set it, by the settings; `nil` for the person's own.
  package var posture: Posture?

  package init(orientation: InterfaceOrientation, end: End? = nil, posture: Posture? = nil) {
    self.orientation = orientation
    self.end = end
    self.posture = posture
  }

  func moved(to orientation: InterfaceOrientation) -> Self {
    Self(orientation: orientation, end: end, posture: posture)
  }

  /// Whether it is kept over a restart. What a posture has set is set again.
  var isLasting: Bool { end == nil && posture == nil }
}

/// A lock that is off until the device has turned the picture once.
struct Relock: Equatable, Sendable {
  /// When it is on again at the latest.
  var due: Instant
  /// As it was.
  var lock: Lock
}

/// An application's request over the bus, valid while its connection lives.
package struct OrientationRequest: Equatable, Sendable {
  package var id: UInt32
  package var mask: [OrientationWord]
  package var application: String
  package var why: String
  /// The application that has to have focus, by a name or a pattern; `nil` if the request always holds.
  package var whileFocused: String?

  package init(
    id: UInt32, mask: [OrientationWord], application: String, why: String, whileFocused: String? = nil
  ) {
    self.id = id
    self.mask = mask
    self.application = application
    self.why = why
    self.whileFocused = whileFocused
  }

  func holds(before window: Window?) -> Bool {
    whileFocused.map { window?.isOf($0) ?? false } ?? true
  }
}
