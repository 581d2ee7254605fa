// SPDX-License-Identifier: MIT

// What the sensor reports, whether that is plausible, and how much of it is needed.
extension Autorotator {
  /// Implausible samples are reported only if there are no others for this long.
  private static let implausibleTime = Duration.seconds(2)
  /// A sensor that was woken needs less for its first sample, and the judge for its first decision.
  private static let firstWordTime = Duration.milliseconds(500)

  /// - Returns: whether the sample changes anything beyond the judge's own state.
  mutating func note(_ sample: MotionSample, at now: Instant) -> Bool {
    guard demand != .off else { return false }
    guard OrientationClassifier.isPlausible(sample.acceleration) else {
      guard implausibleSince == nil else { return false }
      implausibleSince = now
      return true
    }
    let wasImplausible = implausibleSince != nil
    implausibleSince = nil
    isImplausible = false
    _ = classifier.add(sample, at: now)
    let orientation = classifier.orientation
    let changes =
      orientation != sensed || isGyroscopeNews || wasImplausible || neededDemand(at: now) != demand
    if orientation != sensed { turned(to: orientation) }
    return changes
  }

  mutating func turned(to orientation: DeviceOrientation) {
    sensed = orientation
    if orientation != .unknown { firstWordDue = nil }
    guard let held = InterfaceOrientation(device) else { return }
    if heldLast != held, heldLast != nil { asked = nil }
    heldLast = held
    if lock == nil, hold == nil, asked == nil, desktopTurns == nil { baseline = held }
  }

  mutating func found(_ name: String) {
    sensor = .found(name: name, isAsleep: demand == .off)
    hasReportedImplausible = false
    hasReportedGyroscope = false
    restartJudge()
  }

  mutating func lost(_ reason: Message, _ actions: inout [Action]) {
    guard sensor != .lost(reason) else { return }
    sensor = .lost(reason)
    restartJudge()
    actions.append(.report(reason, of: .noSensor))
  }

  private mutating func restartJudge() {
    classifier = OrientationClassifier()
    sensed = .unknown
    implausibleSince = nil
    isImplausible = false
    firstWordDue = nil
  }

  var implausibleDue: Instant? {
    isImplausible ? nil : implausibleSince.map { $0 + Self.implausibleTime }
  }

  mutating func distrustSensor(_ actions: inout [Action]) {
    isImplausible = true
    sensed = .unknown
    guard !hasReportedImplausible else { return }
    hasReportedImplausible = true
    let message = Message(
      .sensorImplausible,
      "The sensor delivers zeros or values that cannot be, so the picture stays as it is. "
        + "Suspending and waking the machine often cures that; if not, its driver is at fault.")
    actions.append(.report(message, of: .implausibleSensor))
  }

  private var isGyroscopeNews: Bool { classifier.hasWrongGyroscope && !hasReportedGyroscope }

  mutating func doubtGyroscope(_ actions: inout [Action]) {
    guard isGyroscopeNews else { return }
    hasReportedGyroscope = true
    let message = Message(
      .sensorGyroscope,
      "the gyroscope does not tell what the accelerometer shows, so the device is followed without it",
      next:
        "autorotate calibrate checks how it is mounted; gyroscope = \"off\" under [sensor] leaves it alone")
    actions.append(.report(message, of: nil))
  }

  mutating func adjustSensor(at now: Instant, _ actions: inout [Action]) {
    followsDevice = canDeviceTurnPicture(at: now)
    let needed = neededDemand(at: now)
    guard needed != demand else { return }
    if needed == .off {
      restartJudge()
    } else if demand == .off, case .found = sensor {
      firstWordDue = now + Self.firstWordTime
    }
    demand = needed
    if case .found(let name, _) = sensor { sensor = .found(name: name, isAsleep: needed == .off) }
    actions.append(.setSensor(needed))
  }

  /// None while no turn of the device can change the picture: UIKit's
  /// begin/endGeneratingDeviceOrientationNotifications.
  private func neededDemand(at now: Instant) -> SensorDemand {
    guard followsDevice else { return .off }
    return classifier.wantsFollowing(at: now) ? .following : .resting
  }

  private func canDeviceTurnPicture(at now: Instant) -> Bool {
    guard !isDark, canTurn, desktopTurns == nil || mayDoubtDesktop(at: now) else { return false }
    guard laptopOrientation == nil, externalInTheWay == nil, decision.allowed.orientations.count > 1 else {
      return false
    }
    if lock != nil || hold != nil { return settings.suggestsWhileLocked }
    return focusedRule?.rule.autoRotate ?? true
  }
}

// Dark is not a fault: what nobody can see is not turned, and has not failed.
extension Autorotator {
  /// Whether nobody can see the picture.
  var isDark: Bool {
    !isDisplayOn || !isSessionActive || isSuspended || panel == nil && !panels.isEmpty
  }

  /// Failures in the dark, or just before it was reported, are forgotten; in the light everything is tried again.
  mutating func lightChanged(at now: Instant, _ actions: inout [Action]) {
    turning.failure = nil
    // A finger that is lifted in the dark is not reported.
    touch = TouchGuard()
    guard isDark else {
      turning.litAt = now
      return
    }
    turning.wentDark = true
    if case .preparing(let rotation, _) = turning.phase { abandon(rotation, &actions) }
  }
}
