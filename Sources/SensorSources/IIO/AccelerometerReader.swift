// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The reading thread: finds the accelerometer, reads it as often as demanded, and searches again when it is lost.
/// Everything that may block happens here.
nonisolated struct AccelerometerReader {
  private let link: ReaderLink
  private let mountMatrix: MountMatrix?
  private let usesBuffer: Bool

  private var sensor: OpenAccelerometer?
  private var reading: QuickReading
  private var isStreaming = false
  private var schedule: ReadSchedule
  private var glance = Glance()
  private var health = ReadingHealth()
  private var hinge = HingeReader()
  private var gyroscope: GyroscopeReader
  private var hingeSaid = HingeReader().word
  private var demand = SensorDemand.off
  /// When to read next, or to look again; nanoseconds since boot.
  private var due: Int64 = 0
  private var presence = Presence.unsaid
  private var problemsSaid: [Message] = []

  /// Nanoseconds.
  private static let longestRead: Int64 = 5_000_000_000

  /// What was reported last.
  private enum Presence: Equatable {
    case unsaid, absent
    case present(OpenAccelerometer.Identity)
  }

  init(
    link: ReaderLink, mountMatrix: MountMatrix?, pace: ReadingPace, usesBuffer: Bool = true,
    usesGyroscope: Bool = true
  ) {
    self.link = link
    self.mountMatrix = mountMatrix
    schedule = ReadSchedule(pace: pace)
    self.usesBuffer = usesBuffer
    reading = QuickReading(rate: pace.rate)
    gyroscope = GyroscopeReader(isWanted: usesGyroscope)
  }

  /// Returns when the loop asks it to end.
  mutating func run() {
    look()
    while case let (wish, isTold) = link.wait(until: sleepsUntil, sensor: reading.told), !wish.ends {
      adopt(wish.demand, wish.hinge)
      if wish.looksAgain { look() }
      if isTold && reading.isDozing { due = 0 }
      if let moment = sleepsUntil, moment <= EventLoop.now { act() }
      tellStreaming()
    }
    reading.rest()
    tellStreaming()
  }

  /// Without a demand nothing is due, but the hinge, and the very first read, which tells whether there
  /// is a sensor.
  private var sleepsUntil: Int64? {
    demand != .off || hinge.isWatching || isTrying ? due : nil
  }

  private var interval: Int64 {
    demand == .off && hinge.isWatching
      ? HingeReader.interval
      : schedule.interval(demand)
  }

  /// A sensor was opened, and is not known to work yet.
  private var isTrying: Bool {
    guard let sensor else { return false }
    return presence != .present(sensor.identity)
  }

  private mutating func adopt(_ demand: SensorDemand, _ watch: HingeWatch) {
    let isNewWatch = hinge.adopt(watch, beside: sensor?.identity.sensor)
    tellOnce(hinge.problems)
    if isNewWatch { tellHinge() }
    guard isNewWatch || demand != self.demand else { return }
    if self.demand == .off { schedule.resume(at: EventLoop.now) }
    self.demand = demand
    if demand == .off { health.pause() }
    if demand != .following { reading.rest() }
    if sensor != nil { due = health.failures > 0 ? due : schedule.latestRead + interval }
  }

  private mutating func act() {
    guard let sensor else { return look() }
    if reading.isDozing { return act(dozing: sensor) }
    schedule.latestRead = EventLoop.now
    due = schedule.latestRead + interval
    let gyroscope = demand == .following ? followGyroscope(of: sensor) : nil
    if demand == .following, usesBuffer, reading.mayFollow, link.mayBeginToStream() {
      isStreaming = true
      reading.follow(sensor, gyroscope, at: schedule.latestRead)
      // It only remains to turn the buffer off again.
      if link.isToEnd { return }
    }
    read(sensor, gyroscope)
    if self.sensor != nil, health.failures == 0 { due = min(due, schedule.latestRead + interval) }
    beginToDoze(sensor)
  }

  /// The sensor has told something, or is to be checked.
  private mutating func act(dozing sensor: OpenAccelerometer) {
    schedule.latestRead = EventLoop.now
    do throws(Message) {
      let place = try reading.readDozing(sensor)
      tell(MotionSample(place), at: Instant(nanoseconds: EventLoop.now))
    } catch {
      if health.hasFailed() { return lose(error) }
      reading.rest()
    }
    if !reading.isDozing || !schedule.isStill(at: schedule.latestRead) { reading.rest() }
    due = schedule.latestRead + (reading.isDozing ? reading.patience : interval)
  }

  private mutating func beginToDoze(_ sensor: OpenAccelerometer) {
    guard demand == .resting, usesBuffer, !hinge.isWatching, schedule.isStill(at: schedule.latestRead),
      let withheld = schedule.withheld, reading.mayDoze(sensor), link.mayBeginToStream()
    else { return }
    isStreaming = true
    reading.beginToDoze(sensor, at: withheld.sample.acceleration)
    guard reading.isDozing else { return }
    due = schedule.latestRead + reading.patience
    health.pause()
    link.tell(.dozes)
  }

  private mutating func followGyroscope(of sensor: OpenAccelerometer) -> OpenGyroscope? {
    link.awaits(gyroscope: sensor.identity.title)
    defer { link.awaits(gyroscope: nil) }
    return gyroscope.follow(sensor)
  }

  private mutating func readGyroscope(_ title: String) -> AngularRate? {
    link.awaits(gyroscope: title)
    defer { link.awaits(gyroscope: nil) }
    return gyroscope.read(isStreaming: reading.isStreaming)
  }

  private mutating func read(_ sensor: OpenAccelerometer, _ gyroscope: OpenGyroscope?) {
    do throws(Message) {
      defer { giveSign() }
      if let unmoved = try lookWhetherItMoved(sensor) {
        return accept(MotionSample(unmoved), from: sensor.identity, age: 0)
      }
      guard let (read, age) = try reading.read(sensor, gyroscope, at: schedule.latestRead) else { return }
      var sample = read
      if let gyroscope, sample.rate == nil { sample.rate = readGyroscope(gyroscope.title) }
      accept(sample, from: sensor.identity, age: age)
    } catch {
      due = schedule.latestRead + schedule.intervalAfterFailure
      if health.hasFailed() { lose(error) }
    }
    tellOnce(self.gyroscope.takeProblems())
  }

  /// - Returns: where a device lies that has been still for long, if nothing shows that it has moved since.
  private mutating func lookWhetherItMoved(_ sensor: OpenAccelerometer) throws(Message) -> Acceleration? {
    guard demand == .resting, schedule.isStill(at: schedule.latestRead), let withheld = schedule.withheld
    else { return nil }
    let place = withheld.sample.acceleration
    let read = try sensor.read(glance.next(at: place), beside: place)
    return schedule.isNear(read) ? read : nil
  }

  private mutating func accept(
    _ sample: MotionSample, from identity: OpenAccelerometer.Identity, age: Int64
  ) {
    let (now, acceleration) = (EventLoop.now, sample.acceleration)
    announce(identity)
    tell(sample, at: Instant(nanoseconds: now - age))
    hinge.read(beside: acceleration, at: now)
    tellHinge()
    if health.hasRead(acceleration, at: now) { look() }
  }

  private mutating func tell(_ sample: MotionSample, at moment: Instant) {
    let (before, isReported) = schedule.report(sample, at: moment, now: EventLoop.now, demand: demand)
    if let before { link.tell(.sample(before.sample, before.moment)) }
    if isReported { link.tell(.sample(sample, moment)) }
  }

  private mutating func giveSign() {
    link.giveSign()
    // Whoever was given up for that is to hear that it reads again.
    if EventLoop.now - schedule.latestRead > Self.longestRead { schedule.startOver() }
  }

  private mutating func tellHinge() {
    guard hinge.word != hingeSaid else { return }
    hingeSaid = hinge.word
    link.tell(.hinge(hingeSaid))
  }

  private mutating func tellStreaming() {
    guard reading.isStreaming != isStreaming else { return }
    isStreaming = reading.isStreaming
    link.isStreaming(isStreaming)
  }

  private mutating func look() {
    sensor = nil
    reading.startAnew()
    gyroscope.startAnew()
    do throws(Message) {
      sensor = try OpenAccelerometer(.display, mountMatrix: mountMatrix)
      if let sensor { SampleStream.endAbandoned(id: sensor.id) }
      hinge.open(beside: sensor?.identity.sensor)
      tellOnce(hinge.problems)
      due = EventLoop.now
    } catch {
      lose(said(error))
    }
  }

  /// If there was a sensor, it has gone. That there is none at all is reported only if there never was one.
  private func said(_ failure: Message) -> Message {
    guard failure.code == .sensorNone, case .present(let identity) = presence else { return failure }
    return .unreadable(identity.title, code: ENODEV)
  }

  private mutating func announce(_ identity: OpenAccelerometer.Identity) {
    guard presence != .present(identity) else { return }
    tellOnce(identity.mount.problems)
    presence = .present(identity)
    schedule.startOver()
    link.tell(.found(identity.title))
  }

  private mutating func tellOnce(_ problems: [Message]) {
    for problem in problems where !problemsSaid.contains(problem) {
      problemsSaid.append(problem)
      link.tell(.notice(problem))
    }
  }

  private mutating func lose(_ failure: Message) {
    sensor = nil
    due = EventLoop.now + health.nextBackoff()
    health.pause()
    guard presence != .absent else { return }
    presence = .absent
    link.tell(.lost(failure))
  }
}
