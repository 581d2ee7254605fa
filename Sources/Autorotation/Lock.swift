// SPDX-License-Identifier: MIT

/// What ends a lock automatically.
package enum LockEnd<Time: Equatable & Sendable>: Equatable, Sendable {
  case time(Time)
  /// The device leaves tablet posture.
  case unfolded
  /// The application, by one of its names or a pattern, loses focus.
  case focus(application: String)

  /// The name in JSON and on the bus.
  package var word: String {
    switch self {
    case .time: "time"
    case .unfolded: "unfolded"
    case .focus: "focus"
    }
  }

  package init?(word: String, time: Time, application: String) {
    let ends: [Self] = [.time(time), .unfolded, .focus(application: application)]
    guard let end = ends.first(where: { $0.word == word }) else { return nil }
    self = end
  }

  /// Converts the time.
  package func map<Other>(_ convert: (Time) -> Other) -> LockEnd<Other> {
    switch self {
    case .time(let time): .time(convert(time))
    case .unfolded: .unfolded
    case .focus(let application): .focus(application: application)
    }
  }
}

/// The rotation lock.
package struct Lock: Equatable, Sendable {
  package typealias End = LockEnd<Instant>

  package var orientation: InterfaceOrientation
  /// `nil` for a lock that lasts until it is removed, even across a restart.
  package var end: End?
  /// The posture that has set it, by the settings; `nil` for the user's own.
  package var posture: Posture?
  /// Whether it is for what a panel shows and none has been reported yet: the first report sets the orientation.
  var awaitsPanel = false

  func moved(to orientation: InterfaceOrientation) -> Self {
    Self(orientation: orientation, end: end, posture: posture)
  }

  /// Whether it is kept across a restart. One set by a posture is set again.
  var isLasting: Bool { end == nil && posture == nil }
}

/// The rotation lock, and what a restart brings back of it.
struct LockState: Sendable {
  var lock: Lock?
  /// Why the lock, or its absence, will not survive a restart.
  var saveFailure: Message?
  /// The lock that the user left in each posture: `free` or `to`.
  var savedLocks: [Posture: PostureLock] = [:]
  /// A lock that is off until the device has rotated the screen once, and when it is set again at the latest.
  var relock: (due: Instant, lock: Lock)?

  /// When the lock ends, if it ends at a time, even while it is off until the screen has rotated once.
  var end: Instant? {
    if case .time(let end) = current?.end { end } else { nil }
  }

  /// The lock, even while it is off until the screen has rotated once.
  var current: Lock? { lock ?? relock?.lock }

  mutating func set(_ new: Lock?) {
    lock = new
    relock = nil
    saveFailure = nil
  }

  /// - Returns: whether the saved lock of the posture has changed.
  mutating func remember(in posture: Posture) -> Bool {
    let left = lock.map { PostureLock.to($0.orientation) } ?? .free
    return savedLocks.updateValue(left, forKey: posture) != left
  }
}

/// An application's request over the bus, valid while its connection lives.
package struct OrientationRequest: Equatable, Sendable {
  package var id: UInt32
  package var mask: [OrientationName]
  package var application: String
  package var why: String
  /// The application that has to have focus, by a name or a pattern; `nil` if the request always applies.
  package var whileFocused: String?

  package init(
    id: UInt32, mask: [OrientationName], application: String, why: String, whileFocused: String? = nil
  ) {
    self.id = id
    self.mask = mask
    self.application = application
    self.why = why
    self.whileFocused = whileFocused
  }

  func applies(to window: Window?) -> Bool {
    whileFocused.map { window?.belongs(to: $0) ?? false } ?? true
  }

  /// Whether it is for the application of this window: it is limited to that, or made in its name.
  func isOwn(of window: Window?) -> Bool {
    guard let window, applies(to: window) else { return false }
    return whileFocused != nil || window.identifiers.contains { $0.lowercased() == application.lowercased() }
  }
}

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
