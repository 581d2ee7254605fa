// SPDX-License-Identifier: MIT

/// What the sensor reports, whether that is plausible, and how much of it is needed.
struct SensorState: Sendable {
  /// Implausible samples are reported only if there are no others for this long.
  private static let implausibleTime = Duration.seconds(2)
  /// A sensor that was woken needs less for its first sample, and the classifier for its first decision.
  private static let firstReportTime = Duration.milliseconds(500)

  private(set) var classifier = OrientationClassifier()
  private(set) var status = Status.Sensor.searching
  private(set) var demand = SensorDemand.off
  /// As the sensor reports it.
  private(set) var orientation = DeviceOrientation.unknown
  /// When the samples became implausible, if all since then were.
  private var implausibleSince: Instant?
  private(set) var isImplausible = false
  /// Reported once per sensor, however often it comes and goes.
  private var hasReportedImplausible = false
  /// The same for its gyroscope.
  private var hasReportedGyroscope = false
  /// By when a sensor that was woken must have reported first.
  private(set) var firstReportDue: Instant?
  /// The last upright orientation of the device, even if the sensor has slept since.
  var lastUpright: InterfaceOrientation?
  /// Whether a rotation of the device could change the screen now. Cached, since every sample asks.
  var isFollowed = false

  var implausibleDue: Instant? {
    isImplausible ? nil : implausibleSince.map { $0 + Self.implausibleTime }
  }

  /// - Returns: whether that is new.
  mutating func addImplausible(at now: Instant) -> Bool {
    guard implausibleSince == nil else { return false }
    implausibleSince = now
    return true
  }

  /// - Returns: whether the sample changes anything beyond the classifier's own state.
  mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    let wasImplausible = implausibleSince != nil
    implausibleSince = nil
    isImplausible = false
    _ = classifier.add(sample, at: now)
    return classifier.orientation != orientation || isGyroscopeNews || wasImplausible
      || neededDemand(at: now) != demand
  }

  mutating func turned(to new: DeviceOrientation) {
    orientation = new
    if new != .unknown { firstReportDue = nil }
  }

  mutating func found(_ name: String) {
    status = .found(name: name, isAsleep: demand == .off)
    hasReportedImplausible = false
    hasReportedGyroscope = false
    restart()
  }

  mutating func lost(_ reason: Message) {
    status = .lost(reason)
    restart()
  }

  private mutating func restart() {
    classifier = OrientationClassifier()
    orientation = .unknown
    implausibleSince = nil
    isImplausible = false
    firstReportDue = nil
  }

  /// - Returns: whether that has to be reported.
  mutating func distrust() -> Bool {
    isImplausible = true
    orientation = .unknown
    defer { hasReportedImplausible = true }
    return !hasReportedImplausible
  }

  private var isGyroscopeNews: Bool { classifier.hasWrongGyroscope && !hasReportedGyroscope }

  /// - Returns: whether a wrong gyroscope has to be reported.
  mutating func doubtGyroscope() -> Bool {
    guard isGyroscopeNews else { return false }
    hasReportedGyroscope = true
    return true
  }

  /// - Returns: what is needed now, if that is another than before.
  mutating func updateDemand(at now: Instant) -> SensorDemand? {
    let needed = neededDemand(at: now)
    guard needed != demand else { return nil }
    if needed == .off {
      restart()
    } else if demand == .off, case .found = status {
      firstReportDue = now + Self.firstReportTime
    }
    demand = needed
    if case .found(let name, _) = status { status = .found(name: name, isAsleep: needed == .off) }
    return needed
  }

  /// None while no rotation of the device can change the screen: UIKit's
  /// begin/endGeneratingDeviceOrientationNotifications.
  private func neededDemand(at now: Instant) -> SensorDemand {
    guard isFollowed else { return .off }
    return classifier.wantsFollowing(at: now) ? .following : .resting
  }
}

extension Autorotator {
  /// - Returns: whether the sample changes anything beyond the classifier's own state.
  mutating func note(_ sample: MotionSample, at now: Instant) -> Bool {
    guard sensor.demand != .off else { return false }
    guard OrientationClassifier.isPlausible(sample.acceleration) else {
      return sensor.addImplausible(at: now)
    }
    let changes = sensor.add(sample, at: now)
    let orientation = sensor.classifier.orientation
    if orientation != sensor.orientation { turned(to: orientation) }
    return changes
  }

  mutating func turned(to orientation: DeviceOrientation) {
    sensor.turned(to: orientation)
    guard let held = InterfaceOrientation(device) else { return }
    if sensor.lastUpright != held, sensor.lastUpright != nil { choice.asked = nil }
    sensor.lastUpright = held
    if !isChosen, desktop.rotates == nil { choice.baseline = held }
  }

  /// Whether the user has set the orientation, by a lock, a pause or a command.
  var isChosen: Bool { locking.lock != nil || choice.paused != nil || choice.asked != nil }

  mutating func lost(_ reason: Message, _ actions: inout [Action]) {
    guard sensor.status != .lost(reason) else { return }
    sensor.lost(reason)
    actions.append(.report(reason, of: .noSensor))
  }

  mutating func distrustSensor(_ actions: inout [Action]) {
    guard sensor.distrust() else { return }
    let message = Message(
      .sensorImplausible,
      "The sensor delivers zeros or values that cannot be, so the picture stays as it is. "
        + "Suspending and waking the machine often cures that; if not, its driver is at fault.")
    actions.append(.report(message, of: .implausibleSensor))
  }

  mutating func doubtGyroscope(_ actions: inout [Action]) {
    guard sensor.doubtGyroscope() else { return }
    let message = Message(
      .sensorGyroscope,
      "the gyroscope does not tell what the accelerometer shows, so the device is followed without it",
      next:
        "autorotate calibrate checks how it is mounted; gyroscope = \"off\" under [sensor] leaves it alone")
    actions.append(.report(message, of: nil))
  }

  /// - Returns: whether the sensor sleeps from now on, so that the device's orientation is unknown.
  mutating func adjustSensor(_ decision: Decision, at now: Instant, _ actions: inout [Action]) -> Bool {
    sensor.isFollowed = canDeviceTurnPicture(decision, at: now)
    guard let demand = sensor.updateDemand(at: now) else { return false }
    actions.append(.setSensor(demand))
    return demand == .off
  }

  private func canDeviceTurnPicture(_ decision: Decision, at now: Instant) -> Bool {
    guard !isDark, canTurn, desktop.rotates == nil || mayDoubtDesktop(at: now) else { return false }
    guard laptopOrientation == nil, externalInTheWay == nil, decision.allowed.orientations.count > 1 else {
      return false
    }
    if locking.lock != nil || choice.paused != nil { return settings.suggestsWhileLocked }
    return focusedRule?.rule.autoRotate ?? true
  }
}

// Dark is not a fault: what nobody can see is not turned, and has not failed.
extension Autorotator {
  /// Whether nobody can see the picture.
  var isDark: Bool {
    !displays.areVisible || panel == nil && !panels.isEmpty
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
