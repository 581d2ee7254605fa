// SPDX-License-Identifier: MIT

/// The desktop's own rotation. Whether it does rotate the screen is checked; the device is watched until that is known:
///
///     watched ─┬─ screen rotates to the device orientation ───▶ trusted: the sensor stays off
///              ├─ 10 minutes of watching, in all ──────────────▶ unknown: the sensor sleeps
///              └─ another orientation for 5 s ─▶ asked ─┬─ intentional ▶ the next orientation; three questions at most
///                                                       └─ not ─────────▶ reported once; the sensor sleeps
///
/// Desktops that claim to rotate the screen and do not: GNOME 49 and 50 without a tablet switch (mutter#4931), and any
/// whose iio-sensor-proxy has stopped.
struct DesktopRotation: Sendable {
  /// The slowest desktop, with the slowest sensor proxy, needs two seconds.
  static let askDelay = Duration.seconds(5)
  static let watchTime = Duration.seconds(600)
  private static let maxQuestions = 3

  /// Why the screen is left to the desktop, if it is.
  var rotationReason: Message?
  /// Desktops that have rotated the screen, each by the reason why the screen is left to it.
  private var trusted: Set<Message> = []
  /// What was reported of desktops that did not.
  var findings: [Message: Message] = [:]
  private var questions = 0
  /// The device orientation, while the screen orientation differs, and whether the desktop was asked about it.
  private var ignored: (orientation: InterfaceOrientation, since: Instant, question: Question)?
  private var watchedSince: Instant?
  private var watched = Duration.zero

  private enum Question { case due, asked, answered }

  /// Whether to keep the sensor awake for the check.
  func needsWatching(at now: Instant) -> Bool {
    guard let rotationReason, !trusted.contains(rotationReason), finding == nil else { return false }
    return timeLeft(at: now) > .zero && (ignored?.question == .asked || questions < Self.maxQuestions)
  }

  /// What was reported of the present desktop.
  var finding: Message? { rotationReason.flatMap { findings[$0] } }

  private func timeLeft(at now: Instant) -> Duration {
    Self.watchTime - watched - (watchedSince.map { now.duration(since: $0) } ?? .zero)
  }

  mutating func watch(_ isOn: Bool, at now: Instant) {
    if isOn {
      watchedSince = watchedSince ?? now
    } else if let since = watchedSince {
      watched += now.duration(since: since)
      watchedSince = nil
    }
  }

  /// - Parameter orientation: that of the device, if the desktop should show it and does not.
  /// - Returns: whether to ask the desktop for its intention.
  mutating func update(_ orientation: InterfaceOrientation?, at now: Instant) -> Bool {
    if orientation != ignored?.orientation { ignored = orientation.map { ($0, now, Question.due) } }
    guard let due = questionDue, due <= now else { return false }
    ignored?.question = .asked
    questions += 1
    return true
  }

  private var questionDue: Instant? {
    guard let ignored, ignored.question == .due, questions < Self.maxQuestions else { return nil }
    return ignored.since + Self.askDelay
  }

  /// - Returns: the device orientation, if the desktop ignores it unintentionally.
  mutating func receiveAnswer(isIntentional: Bool) -> InterfaceOrientation? {
    guard ignored?.question == .asked else { return nil }
    ignored?.question = .answered
    return isIntentional ? nil : ignored?.orientation
  }

  mutating func screenRotated(toDevice isDeviceOrientation: Bool) {
    guard let rotationReason, isDeviceOrientation || finding != nil else { return }
    findings[rotationReason] = nil
    trusted.insert(rotationReason)
  }

  func deadline(after now: Instant) -> Instant? {
    let watchEnd = watchedSince.map { _ in now + timeLeft(at: now) }
    return [questionDue, watchEnd].compactMap { $0 }.min()
  }
}

// Checks that a desktop with its own rotation does rotate the screen.
extension Autorotator {
  /// Whether to keep the sensor awake only to check the desktop. Not while anything may rightly stop the rotation: many
  /// desktops rotate only when folded, and do not know a posture set by the user.
  func mayCheckDesktop(at now: Instant) -> Bool {
    locking.lock == nil && choice.paused == nil && posture.isTreatedAsTablet
      && !postureResolver.isAnySwitchOff && desktop.needsWatching(at: now)
  }

  mutating func checkDesktop(_ decision: Decision, at now: Instant) {
    let isWatched = desktop.rotationReason != nil && sensor.demand != .off
    desktop.watch(isWatched, at: now)
    guard desktop.update(isWatched ? ignoredOrientation(decision) : nil, at: now) else { return }
    actions.append(.askDesktop)
  }

  private func ignoredOrientation(_ decision: Decision) -> InterfaceOrientation? {
    let upright = InterfaceOrientation(device)
    return upright == decision.orientation && upright != displays.shown ? upright : nil
  }

  mutating func desktopAnswered(isIntentional: Bool) {
    guard let ignored = desktop.receiveAnswer(isIntentional: isIntentional),
      let reason = desktop.rotationReason,
      ignored == ignoredOrientation(decision)
    else {
      return
    }
    let seconds = DesktopRotation.askDelay.components.seconds
    let finding = Message(
      .desktopNotRotating,
      "The device orientation has been \(device.name(on: naturalAspect)) for \(seconds) s, "
        + "but the screen stays \(displays.shown.name(on: naturalAspect)), "
        + "although the desktop should rotate it (\(reason.what))",
      next: reason.next ?? "see whether the desktop's own rotation is switched on")
    desktop.findings[reason] = finding
    actions.append(.report(finding, of: .desktopNotRotating))
  }
}
