// SPDX-License-Identifier: MIT

/// The desktop's own rotation.
struct DesktopRotation: Sendable {
  /// Why the screen is left to the desktop, if it is.
  var rotates: Message?
  var doubt = DesktopDoubt()
}

/// Whether a desktop turns the picture that is left to it. The device is watched until that is known, and no longer:
///
///     left to it ─┬─ turns the picture to how the device is held ──▶ trusted: the sensor sleeps for good
///                 ├─ 10 minutes of watching, in all ───────────────▶ not known: the sensor sleeps
///                 └─ held otherwise for 5 s ─▶ asked ─┬─ means to stay ▶ the next hold; no more than three questions
///                                                     └─ does not ─────▶ said once; the sensor sleeps
///
/// Desktops that say they turn the picture and do not: GNOME 49 and 50 without a tablet switch (mutter#4931), and
/// whatever lost its iio-sensor-proxy.
struct DesktopDoubt: Sendable {
  /// The slowest desktop, with the slowest sensor proxy, needs two.
  static let patience = Duration.seconds(5)
  static let watchTime = Duration.seconds(600)
  private static let mostQuestions = 3

  /// Those that were seen to turn the picture, by what they say of themselves.
  private var trusted: Set<Message> = []
  /// What was said of a desktop that did not.
  private var findings: [Message: Message] = [:]
  private var questions = 0
  private var isAsked = false
  private var isExcused = false
  /// How the device is held, while the picture stands otherwise.
  private var held: InterfaceOrientation?
  private var heldSince: Instant?
  private var watchedSince: Instant?
  private var watched = Duration.zero

  func finding(on desktop: Message) -> Message? { findings[desktop] }

  /// Whether it is worth a sensor that is awake.
  func wantsWatching(_ desktop: Message, at now: Instant) -> Bool {
    !trusted.contains(desktop) && findings[desktop] == nil && timeLeft(at: now) > .zero
      && (isAsked || questions < Self.mostQuestions)
  }

  private func timeLeft(at now: Instant) -> Duration {
    Self.watchTime - watched - (watchedSince.map { Self.span(from: $0, to: now) } ?? .zero)
  }

  mutating func watch(_ isOn: Bool, at now: Instant) {
    if isOn {
      watchedSince = watchedSince ?? now
    } else if let since = watchedSince {
      watched += Self.span(from: since, to: now)
      watchedSince = nil
    }
  }

  private static func span(from start: Instant, to end: Instant) -> Duration {
    .nanoseconds(end.nanoseconds.subtractingReportingOverflow(start.nanoseconds).partialValue)
  }

  /// - Parameter differing: how the device is held, where the desktop should show that and does not.
  /// - Returns: whether it is time to ask the desktop what it means to do.
  mutating func note(_ differing: InterfaceOrientation?, at now: Instant) -> Bool {
    if differing != held {
      (held, heldSince) = (differing, differing.map { _ in now })
      (isAsked, isExcused) = (false, false)
    }
    guard let due = questionDue, due <= now else { return false }
    isAsked = true
    questions += 1
    return true
  }

  private var questionDue: Instant? {
    isAsked || isExcused || questions >= Self.mostQuestions ? nil : heldSince.map { $0 + Self.patience }
  }

  /// - Returns: how the device has been held, if the desktop leaves the picture otherwise without meaning to.
  mutating func answered(staysOnPurpose: Bool) -> InterfaceOrientation? {
    guard isAsked else { return nil }
    isAsked = false
    isExcused = true
    return staysOnPurpose ? nil : held
  }

  mutating func find(_ finding: Message, on desktop: Message) {
    findings[desktop] = finding
  }

  /// The picture has become another while it was left to the desktop.
  mutating func pictureTurned(by desktop: Message, asHeld: Bool) {
    guard asHeld || findings[desktop] != nil else { return }
    findings[desktop] = nil
    trusted.insert(desktop)
  }

  func deadline(after now: Instant) -> Instant? {
    let watchEnd = watchedSince.map { _ in now + timeLeft(at: now) }
    return [questionDue, watchEnd].compactMap { $0 }.filter { $0 > now }.min()
  }
}
