// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The reading thread: finds the accelerometer, reads it as often as demanded, and searches again after it is lost.
/// All calls that may block are made here.
nonisolated struct AccelerometerReader {
  private let link: ReaderLink
  private let settings: AccelerometerSettings
  private let usesBuffer: Bool
  private let hasUdev: Bool

  private var sensor: OpenAccelerometer?
  private var reader: SampleReader
  private var schedule: ReadSchedule
  private var restingAxes = RestingAxes()
  private var health = ReadingHealth()
  private var hinge: HingeReader
  private var gyroscope: GyroscopeReader
  /// `nil` if the next one is reported in any case.
  private var reportedHinge: HingeReading? = HingeReading(isCertain: false)
  private var demand = SensorDemand.off
  /// When to read or search next, in nanoseconds since boot.
  private var due: Int64 = 0
  private var presence = Presence.unreported
  private var reportedProblems: Set<Message> = []

  /// Nanoseconds. After a longer read or opening the loop may have reported the sensor as lost.
  private static let maximumReadTime: Int64 = 5_000_000_000

  /// As last reported to the loop.
  private enum Presence: Equatable {
    case unreported, absent
    case present(MountedAccelerometer)
  }

  /// - Parameter hasUdev: whether the loop calls for a search when a sensor is added.
  init(link: ReaderLink, _ settings: AccelerometerSettings, usesBuffer: Bool, hasUdev: Bool) {
    self.link = link
    self.settings = settings
    schedule = ReadSchedule(rate: settings.rate)
    self.usesBuffer = usesBuffer
    self.hasUdev = hasUdev
    reader = SampleReader(rate: schedule.rate)
    hinge = HingeReader(settings)
    gyroscope = GyroscopeReader(isWanted: settings.usesGyroscope)
  }

  /// Returns after the loop has called for a stop.
  mutating func run() {
    openSensor()
    while case let (request, hasData) = link.wait(until: wakeUpTime, sensor: reader.changeDescriptor),
      !request.stops
    {
      apply(request.demand, request.hinge)
      if request.searchesAgain { openSensor() }
      if hasData && reader.isOnChange { due = 0 }
      if let moment = wakeUpTime, moment <= EventLoop.now { readIfOpen() }
      link.setStreaming(reader.isStreaming)
      link.setMeasuringHinge(hinge.isMeasuring)
    }
    reader.stopStream()
    link.setStreaming(false)
  }

  /// Without a demand, only the hinge and the first read after opening, which checks that the sensor works, are due.
  private var wakeUpTime: Int64? {
    demand != .off || hinge.isMeasuring || hinge.isWithoutDisplay || isTrying ? due : nil
  }

  private var interval: Int64 {
    let own = schedule.interval(demand)
    return hinge.isMeasuring ? min(own, HingeReader.interval) : own
  }

  /// Whether the open sensor has not delivered a value yet.
  private var isTrying: Bool {
    guard let sensor else { return false }
    return presence != .present(sensor.identity)
  }

  private mutating func apply(_ demand: SensorDemand, _ watch: HingeWatch) {
    let isNewWatch = hinge.apply(watch, beside: sensor)
    if isNewWatch { reportHinge() }
    // A report of udev may have been missed.
    if isNewWatch, hinge.isWithoutDisplay { due = EventLoop.now }
    guard isNewWatch || demand != self.demand else { return }
    if self.demand == .off { schedule.resume(at: EventLoop.now) }
    self.demand = demand
    if demand != .following || reader.isOnChange { reader.stopStream() }
    if sensor != nil { due = health.failures > 0 ? due : schedule.latestRead + interval }
  }

  private mutating func readIfOpen() {
    guard let sensor else { return openSensor() }
    if reader.isOnChange { return readOnChange(sensor) }
    schedule.latestRead = EventLoop.now
    due = schedule.latestRead + interval
    let gyroscope = demand == .following ? findGyroscope(of: sensor) : nil
    if demand == .following, usesBuffer, reader.canStartStream, link.tryBeginStreaming() {
      reader.startStream(sensor, gyroscope, at: schedule.latestRead)
      // The loop waits for the buffer to be turned off: do not start a read.
      if link.isStopping { return }
    }
    read(sensor, gyroscope)
    if self.sensor != nil, health.failures == 0 { due = min(due, schedule.latestRead + interval) }
    startOnChangeMode(sensor)
  }

  /// The sensor has reported a change, or a check is due.
  private mutating func readOnChange(_ sensor: OpenAccelerometer) {
    schedule.latestRead = EventLoop.now
    do throws(Message) {
      let acceleration = try reader.readOnChange(sensor)
      report(MotionSample(acceleration), at: Instant(nanoseconds: EventLoop.now))
    } catch {
      if health.recordFailure() { return lose(error) }
      reader.stopStream()
    }
    if !reader.isOnChange || !schedule.isStill { reader.stopStream() }
    due = schedule.latestRead + (reader.isOnChange ? reader.checkInterval : interval)
  }

  private mutating func startOnChangeMode(_ sensor: OpenAccelerometer) {
    guard demand == .resting, usesBuffer, !hinge.isMeasuring, schedule.isStill,
      let skipped = schedule.skipped, reader.canStartOnChangeMode(sensor), link.tryBeginStreaming()
    else { return }
    reader.startOnChangeMode(sensor, at: skipped.sample.acceleration)
    guard reader.isOnChange else { return }
    due = schedule.latestRead + reader.checkInterval
    link.report(.isOnChange)
  }

  private mutating func findGyroscope(of sensor: OpenAccelerometer) -> OpenGyroscope? {
    link.awaiting(gyroscope: sensor.identity.title) { gyroscope.find(for: sensor) }
  }

  private mutating func readRate(_ title: String) -> AngularRate? {
    link.awaiting(gyroscope: title) { gyroscope.read(isStreaming: reader.isStreaming) }
  }

  private mutating func read(_ sensor: OpenAccelerometer, _ gyroscope: OpenGyroscope?) {
    do throws(Message) {
      defer { noteProgress() }
      if let unmoved = try readIfUnmoved(sensor) {
        return accept(MotionSample(unmoved), from: sensor.identity, age: 0)
      }
      guard let (read, age) = try reader.read(sensor, gyroscope, at: schedule.latestRead) else { return }
      var sample = read
      if let gyroscope, sample.rate == nil { sample.rate = readRate(gyroscope.title) }
      accept(sample, from: sensor.identity, age: age)
    } catch {
      due = schedule.latestRead + schedule.following
      if health.recordFailure() { lose(error) }
    }
    reportOnce(self.gyroscope.takeProblems())
  }

  /// For a device that has been at rest for long, reads only the axes that show a rotation (`RestingAxes`).
  /// The hinge needs all axes.
  /// - Returns: `nil` if it has moved, or has not been at rest.
  private mutating func readIfUnmoved(_ sensor: OpenAccelerometer) throws(Message) -> Acceleration? {
    guard demand == .resting, !hinge.isMeasuring, schedule.isStill, let skipped = schedule.skipped else {
      return nil
    }
    let acceleration = skipped.sample.acceleration
    let read = try sensor.read(restingAxes.next(at: acceleration), beside: acceleration)
    return schedule.isNear(read) ? read : nil
  }

  private mutating func accept(_ sample: MotionSample, from identity: MountedAccelerometer, age: Int64) {
    let (now, acceleration) = (EventLoop.now, sample.acceleration)
    announce(identity)
    report(sample, at: Instant(nanoseconds: now - age))
    hinge.read(beside: acceleration, at: now)
    reportHinge()
    if health.record(acceleration, at: now) { openSensor() }
  }

  private mutating func report(_ sample: MotionSample, at moment: Instant) {
    let (before, isReported) = schedule.report(sample, at: moment, now: EventLoop.now, demand: demand)
    if let before { link.report(.sample(before.sample, before.moment)) }
    if isReported { link.report(.sample(sample, moment)) }
  }

  private mutating func noteProgress() {
    link.noteProgress()
    startOver(ifSlowSince: schedule.latestRead)
  }

  /// The loop may have reported this sensor as lost meanwhile: report the next sample and hinge in any case.
  private mutating func startOver(ifSlowSince start: Int64) {
    guard EventLoop.now - start > Self.maximumReadTime else { return }
    schedule.startOver()
    reportedHinge = nil
  }

  private mutating func reportHinge() {
    reportOnce(hinge.problems)
    let reading = hinge.reading
    guard reading != reportedHinge else { return }
    reportedHinge = reading
    link.report(.hinge(reading))
  }

  private mutating func openSensor() {
    let start = EventLoop.now
    reader.reset()
    gyroscope.reset()
    do throws(Message) {
      sensor = try OpenAccelerometer(settings.readsBase ? .base : .display, settings)
      if let sensor { SampleStream.stopAbandoned(id: sensor.id) }
      reportOnce([sensor?.missingDevice].compactMap(\.self))
      hinge.open(beside: sensor)
      startOver(ifSlowSince: start)
      if hinge.isWatching { reportOnce(hinge.problems) } else { reportHinge() }
      due = EventLoop.now
    } catch {
      lose(lossReason(of: error))
    }
  }

  /// "There is none" becomes "it has gone" if there was one before.
  private func lossReason(of failure: Message) -> Message {
    guard failure.code == .sensorNone, case .present(let identity) = presence else { return failure }
    return .unreadable(identity.title, code: ENODEV)
  }

  private mutating func announce(_ identity: MountedAccelerometer) {
    guard presence != .present(identity) else { return }
    reportOnce(identity.mount.problems)
    presence = .present(identity)
    schedule.startOver()
    link.report(.found(identity.title))
  }

  private mutating func reportOnce(_ problems: [Message]) {
    for problem in problems where reportedProblems.insert(problem).inserted { link.report(.notice(problem)) }
  }

  private mutating func lose(_ failure: Message) {
    sensor = nil
    hinge.forgetPosture()
    reportHinge()
    let pause = health.nextBackoff()
    // Only the kernel adds a sensor where there is none. Others may work later without a report of udev: once a hub
    // answers, or libiio is installed.
    due = hasUdev && failure.code == .sensorNone ? .max : EventLoop.now + pause
    guard presence != .absent else { return }
    presence = .absent
    link.report(.lost(failure))
  }
}
