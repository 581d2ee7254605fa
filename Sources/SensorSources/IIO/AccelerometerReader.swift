// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// The reading thread: finds the accelerometer, reads it as often as demanded, and searches again when it is lost.
/// Everything that may block happens here.
nonisolated struct AccelerometerReader {
  private let link: ReaderLink
  private let mountMatrix: MountMatrix?
  private let pace: ReadingPace
  private let usesBuffer: Bool

  private var sensor: OpenAccelerometer?
  private var reading: QuickReading
  private var isStreaming = false
  private var stillness = Stillness()
  private var glance = Glance()
  /// The clock's, and one for each time that the driver lets the thread wait for the hardware.
  private var wakeUpsOfLook = 1
  private var health = ReadingHealth()
  private var hinge = HingeReader()
  private var gyroscope: GyroscopeReader
  private var hingeSaid = HingeReader().word
  private var demand = SensorDemand.off
  /// When to read next, or to look again; nanoseconds since boot.
  private var due: Int64 = 0
  private var latestRead: Int64 = 0
  /// Since it is needed: the picture may be wrong from before.
  private var eagerUntil: Int64 = 0
  /// The last sample that the judge did not need.
  private var untold: (sample: MotionSample, moment: Instant)?
  private var presence = Presence.unsaid
  private var problemsSaid: [Message] = []

  /// What the sensor told last was true until now, but the judge starts anew after a second. Nanoseconds.
  private static let longestStep: Int64 = 900_000_000
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
    self.pace = pace
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
    rest()
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
      : pace.interval(
        demand, stillness.rest(at: latestRead, wakeUps: wakeUpsOfLook), haste)
  }

  private var haste: ReadingPace.Haste {
    latestRead < eagerUntil ? .beginning : latestRead < stillness.setsOutUntil ? .movement : .none
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
    if self.demand == .off {
      beNews()
      eagerUntil = EventLoop.now + ReadingPace.eagerTime
    }
    self.demand = demand
    if demand == .off { health.pause() }
    if demand != .following { rest() }
    if sensor != nil { due = health.failures > 0 ? due : latestRead + interval }
  }

  /// What is read next is told, whatever it is.
  private mutating func beNews() {
    stillness = Stillness()
    untold = nil
  }

  private mutating func act() {
    guard let sensor else { return look() }
    if reading.isDozing { return act(dozing: sensor) }
    latestRead = EventLoop.now
    due = latestRead + interval
    let gyroscope = demand == .following ? followGyroscope(of: sensor) : nil
    if demand == .following, usesBuffer, reading.mayFollow, link.mayBeginToStream() {
      isStreaming = true
      reading.follow(sensor, gyroscope, at: latestRead)
      // It only remains to turn the buffer off again.
      if link.isToEnd { return }
    }
    read(sensor, gyroscope)
    if self.sensor != nil, health.failures == 0 { due = min(due, latestRead + interval) }
    beginToDoze(sensor)
  }

  /// The sensor has told something, or is to be checked.
  private mutating func act(dozing sensor: OpenAccelerometer) {
    latestRead = EventLoop.now
    do throws(Message) {
      let place = try reading.readDozing(sensor)
      tell(MotionSample(place), at: Instant(nanoseconds: EventLoop.now))
    } catch {
      if health.hasFailed() { return lose(error) }
      reading.rest()
    }
    if !reading.isDozing || !stillness.isStill(at: latestRead) { reading.rest() }
    due = latestRead + (reading.isDozing ? reading.patience : interval)
  }

  private mutating func beginToDoze(_ sensor: OpenAccelerometer) {
    guard demand == .resting, usesBuffer, !hinge.isWatching, stillness.isStill(at: latestRead),
      let untold, reading.mayDoze(sensor), link.mayBeginToStream()
    else { return }
    isStreaming = true
    reading.beginToDoze(sensor, at: untold.sample.acceleration)
    guard reading.isDozing else { return }
    due = latestRead + reading.patience
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
      guard let (read, age) = try reading.read(sensor, gyroscope, at: latestRead) else { return }
      var sample = read
      if let gyroscope, sample.rate == nil { sample.rate = readGyroscope(gyroscope.title) }
      accept(sample, from: sensor.identity, age: age)
    } catch {
      due = latestRead + pace.interval(.following)
      if health.hasFailed() { lose(error) }
    }
    tellOnce(self.gyroscope.takeProblems())
  }

  /// - Returns: where a device lies that has been still for long, if nothing shows that it has moved since.
  private mutating func lookWhetherItMoved(_ sensor: OpenAccelerometer) throws(Message) -> Acceleration? {
    guard demand == .resting, stillness.isStill(at: latestRead), let untold else { return nil }
    let place = untold.sample.acceleration
    let waitsBefore = ThreadUsage.waits
    defer { wakeUpsOfLook = 1 + ThreadUsage.waits - waitsBefore }
    let read = try sensor.read(glance.next(at: place), beside: place)
    return stillness.isNear(read) ? read : nil
  }

  private mutating func rest() {
    reading.rest()
    gyroscope.rest()
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

  /// What was read before the first news is told along with it: the judge has to know from where it moves.
  private mutating func tell(_ sample: MotionSample, at moment: Instant) {
    let isNews = stillness.isNews(sample.acceleration, at: EventLoop.now) || demand == .following
    guard demand != .off else { return }
    guard isNews else {
      untold = (sample, moment)
      return
    }
    if let untold {
      let latest = Instant(nanoseconds: moment.nanoseconds - Self.longestStep)
      link.tell(.sample(untold.sample, max(untold.moment, latest)))
    }
    untold = nil
    link.tell(.sample(sample, moment))
  }

  private mutating func giveSign() {
    link.giveSign()
    // Whoever was given up for that is to hear that it reads again.
    if EventLoop.now - latestRead > Self.longestRead { beNews() }
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
    beNews()
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
