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
  private var health = ReadingHealth()
  private var hinge = HingeReader()
  private var gyroscope: GyroscopeReader
  private var hingeSaid = HingeReader().word
  private var demand = SensorDemand.off
  /// When to read next, or to look again; nanoseconds since boot.
  private var due: Int64 = 0
  private var latestRead: Int64 = 0
  private var presence = Presence.unsaid
  private var problemsSaid: [Message] = []

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
    while case let wish = link.wait(until: sleepsUntil), !wish.ends {
      adopt(wish.demand, wish.hinge)
      if wish.looksAgain { look() }
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
      ? HingeReader.interval : pace.interval(demand, isStill: stillness.isStill(at: latestRead))
  }

  /// A sensor was opened, and is not known to work yet.
  private var isTrying: Bool {
    guard let sensor else { return false }
    return presence != .present(sensor.identity)
  }

  private mutating func adopt(_ demand: SensorDemand, _ watch: HingeWatch) {
    let isNewWatch = hinge.adopt(watch)
    if isNewWatch { tellHinge() }
    guard isNewWatch || demand != self.demand else { return }
    if self.demand == .off { stillness = Stillness() }
    self.demand = demand
    if demand == .off { health.pause() }
    if demand != .following { rest() }
    if sensor != nil { due = health.failures > 0 ? due : latestRead + interval }
  }

  private mutating func act() {
    guard let sensor else { return look() }
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

  private mutating func rest() {
    reading.rest()
    gyroscope.rest()
  }

  private mutating func accept(
    _ sample: MotionSample, from identity: OpenAccelerometer.Identity, age: Int64
  ) {
    let (now, acceleration) = (EventLoop.now, sample.acceleration)
    announce(identity)
    let isNews = stillness.isNews(acceleration, at: now) || demand == .following
    if isNews, demand != .off {
      link.tell(.sample(sample, Instant(nanoseconds: now - age)))
    }
    hinge.read(beside: acceleration, at: now)
    tellHinge()
    if health.hasRead(acceleration, at: now) { look() }
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
      hinge.open()
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
