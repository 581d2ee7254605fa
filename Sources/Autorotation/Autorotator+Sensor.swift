// SPDX-License-Identifier: MIT

/// The state of the sensor: its readings, their plausibility, and how often it is needed.
struct SensorState: Sendable {
  /// Implausible samples are reported only if there are no others for this long.
  private static let implausibleTime = Duration.seconds(2)
  /// Longer than a sensor that was woken takes for its first sample, and the classifier for its first decision.
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
  var hasReportedGyroscope = false
  /// When rotations stop waiting for the first report of a sensor that was woken.
  private(set) var firstReportDue: Instant?
  /// The last upright orientation of the device, even if the sensor has slept since.
  var lastUpright: InterfaceOrientation?
  /// Whether a rotation of the device could change the screen now. Cached, since every sample asks.
  var isNeeded = false

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
    return classifier.orientation != orientation || hasNewGyroscopeFault || wasImplausible
      || neededDemand(at: now) != demand
  }

  mutating func update(_ new: DeviceOrientation) {
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

  /// - Returns: whether to report it.
  mutating func markImplausible() -> Bool {
    isImplausible = true
    orientation = .unknown
    defer { hasReportedImplausible = true }
    return !hasReportedImplausible
  }

  var hasNewGyroscopeFault: Bool { classifier.hasWrongGyroscope && !hasReportedGyroscope }

  /// - Returns: the new demand, if it has changed.
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
    guard isNeeded else { return .off }
    // A sensor that only reports zeros is read as seldom as one at rest.
    if isImplausible { return .resting }
    return classifier.needsFollowing(at: now) ? .following : .resting
  }
}

extension Autorotator {
  /// - Returns: whether the sample changes anything beyond the classifier's own state.
  mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    guard sensor.demand != .off else { return false }
    guard OrientationClassifier.isPlausible(sample.acceleration) else {
      return sensor.addImplausible(at: now)
    }
    let changes = sensor.add(sample, at: now)
    let orientation = sensor.classifier.orientation
    if orientation != sensor.orientation { orientationChanged(to: orientation) }
    return changes
  }

  mutating func orientationChanged(to orientation: DeviceOrientation) {
    sensor.update(orientation)
    guard let upright = InterfaceOrientation(device) else { return }
    if sensor.lastUpright != upright, sensor.lastUpright != nil { choice.asked = nil }
    sensor.lastUpright = upright
  }

  mutating func lost(_ reason: Message) {
    guard sensor.status != .lost(reason) else { return }
    sensor.lost(reason)
    actions.append(.report(reason, of: .noSensor))
  }

  mutating func reportImplausibleSensor() {
    guard sensor.markImplausible() else { return }
    let message = Message(
      .sensorImplausible,
      "The sensor delivers zeros or impossible values, so the screen keeps its orientation. "
        + "Suspending and resuming often helps; if not, the driver is faulty.")
    actions.append(.report(message, of: .implausibleSensor))
  }

  mutating func reportWrongGyroscope() {
    guard sensor.hasNewGyroscopeFault else { return }
    sensor.hasReportedGyroscope = true
    let message = Message(
      .sensorGyroscope, "the gyroscope contradicts the accelerometer, so it is not used",
      next:
        "run autorotate calibrate to check its mount; set gyroscope = \"off\" under [sensor] to disable it")
    actions.append(.report(message, of: nil))
  }

  /// - Returns: whether the sensor was put to sleep, so that the device orientation is unknown.
  mutating func adjustSensor(_ decision: Decision, at now: Instant) -> Bool {
    sensor.isNeeded = canDeviceRotateScreen(decision, at: now)
    guard let demand = sensor.updateDemand(at: now) else { return false }
    actions.append(.setSensor(demand))
    return demand == .off
  }

  private func canDeviceRotateScreen(_ decision: Decision, at now: Instant) -> Bool {
    guard !isInvisible, canRotate, desktop.rotationReason == nil || mayCheckDesktop(at: now),
      laptopOrientation == nil, blockingMonitor == nil, decision.allowed.orientations.count > 1
    else { return false }
    if locking.lock != nil || choice.paused != nil { return settings.suggestsWhileLocked }
    return focusedRule?.autoRotate ?? true
  }
}
