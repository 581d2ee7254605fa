// SPDX-License-Identifier: MIT

/// What one device has said so far, and what of it counts.
///
///     moves once           ▁▁▁▁▁▁▔▔▔▔▔▔▔▔        counts at once
///     flaps                ▁▁▁▔▁▔▁▔▁▔▁▔▔▔▔▔▔     the first change counts, then what stays for 300 ms
///     comes late, off      ·······▁▁▁▔▔▔▔▔▔▔     nothing before 500 ms: drivers register a switch, then set it
///     keyboard, cover      ▁▁▁▔▁▔▁▔▁▔▁▔▔▔▔▔▔     only what stays for 500 ms: a contact touches several times
struct PostureStatement: Equatable, Sendable {
  /// A contact that is let go of rests within a few milliseconds; one that is loose goes on.
  static let settleTime = Duration.milliseconds(300)
  /// intel-hid registers its switch at the first fold and sets it within the same call; others ask their firmware first.
  static let arrivalTime = Duration.milliseconds(500)
  /// A cover on USB needs most of that from its first contact to its last input device.
  static let contactTime = Duration.milliseconds(500)
  /// More changes than a hand makes in `flappingTime`.
  private static let mostChanges = 10
  private static let flappingTime = 5.0

  /// What it says now.
  private(set) var says: Posture
  /// What of it counts.
  private(set) var counts: Posture
  /// When it last changed what it says; `nil` if it never did.
  private(set) var changedAt: Instant?
  /// When what it says begins to count.
  private(set) var due: Instant?
  private let isContact: Bool
  private var flapsSince = Instant(nanoseconds: 0)
  private var flaps = 0

  /// - Parameters:
  ///   - isLate: whether it was not there from the beginning.
  ///   - isContact: whether it is a thing that is put on and taken off.
  init(_ says: Posture, isLate: Bool, isContact: Bool = false, at now: Instant) {
    self.says = says
    self.isContact = isContact
    let waits = isLate && says == .laptop && !isContact
    counts = waits ? .unknown : says
    due = waits ? now + Self.arrivalTime : nil
    // A driver that registers its switch when the device is folded tells of that by registering it.
    changedAt = isLate ? now : nil
  }

  /// Whether it changes again and again without a hand.
  var isFlapping: Bool { flaps > Self.mostChanges }

  mutating func change(to new: Posture, at now: Instant) {
    guard new != says else { return }
    let isQuick = !isContact && counts != .unknown && changedAt.map { now < $0 + Self.settleTime } ?? false
    says = new
    changedAt = now
    count(at: now)
    due = isContact ? now + Self.contactTime : isQuick ? now + Self.settleTime : nil
    if due == nil { counts = new }
  }

  mutating func update(at now: Instant) {
    guard let moment = due, moment <= now else { return }
    due = nil
    counts = says
  }

  private mutating func count(at now: Instant) {
    if now.seconds(since: flapsSince) > Self.flappingTime { (flapsSince, flaps) = (now, 0) }
    flaps += 1
  }
}
