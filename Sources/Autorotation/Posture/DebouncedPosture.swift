// SPDX-License-Identifier: MIT

/// The state of one device, debounced.
///
///     changes once         ▁▁▁▁▁▁▔▔▔▔▔▔▔▔        used at once
///     flaps                ▁▁▁▔▁▔▁▔▁▔▁▔▔▔▔▔▔     the first change is used, then what lasts for 300 ms
///     appears late, off    ·······▁▁▁▔▔▔▔▔▔▔     nothing before 500 ms: drivers register a switch, then set it
///     keyboard, cover      ▁▁▁▔▁▔▁▔▁▔▁▔▔▔▔▔▔     only what lasts for 500 ms: a contact bounces
struct DebouncedPosture: Equatable, Sendable {
  /// A contact that is released settles within a few milliseconds; a loose one keeps bouncing.
  static let debounceTime = Duration.milliseconds(300)
  /// intel-hid registers its switch at the first fold and sets it within the same call;
  /// others ask their firmware first.
  static let arrivalTime = Duration.milliseconds(500)
  /// A cover on USB needs most of that time from its first contact to its last input device.
  static let contactTime = Duration.milliseconds(500)
  /// More changes than a user makes in `flappingTime`.
  private static let maximumChanges = 10
  private static let flappingTime = 5.0

  private(set) var latest: Posture
  private(set) var debounced: Posture
  /// When the latest state last changed; `nil` if it never did.
  private(set) var changedAt: Instant?
  /// When the latest state becomes the debounced one.
  private(set) var due: Instant?
  private let isDetachable: Bool
  private var flapsSince = Instant(nanoseconds: 0)
  private var flaps = 0

  /// - Parameters:
  ///   - isLate: whether it appeared after the start.
  ///   - isDetachable: whether it can be detached.
  init(_ latest: Posture, isLate: Bool, isDetachable: Bool = false, at now: Instant) {
    self.latest = latest
    self.isDetachable = isDetachable
    let waits = isLate && latest == .laptop && !isDetachable
    debounced = waits ? .unknown : latest
    due = waits ? now + Self.arrivalTime : nil
    // A driver that registers its switch when the device is folded reports the fold by registering it.
    changedAt = isLate ? now : nil
  }

  /// Whether it changes more often than a user can cause.
  var isFlapping: Bool { flaps > Self.maximumChanges }

  mutating func change(to new: Posture, at now: Instant) {
    guard new != latest else { return }
    let isQuick =
      !isDetachable && debounced != .unknown && changedAt.map { now < $0 + Self.debounceTime } ?? false
    latest = new
    changedAt = now
    if now.seconds(since: flapsSince) > Self.flappingTime { (flapsSince, flaps) = (now, 0) }
    flaps += 1
    due = isDetachable ? now + Self.contactTime : isQuick ? now + Self.debounceTime : nil
    if due == nil { debounced = new }
  }

  mutating func update(at now: Instant) {
    guard let moment = due, moment <= now else { return }
    due = nil
    debounced = latest
  }
}
