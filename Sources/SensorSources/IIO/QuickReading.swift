// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// Reads an accelerometer: from the kernel's buffer while a turn may be under way and a buffer can be had, else
/// value by value. Belongs to the reading thread.
///
/// At rest most buffers would only waste power: hardware and kernel fill them at the sensor's own rate, and the judge
/// needs only a few samples per second. But one that tells of changes only (`doze`) costs nothing until something moves.
nonisolated struct QuickReading {
  /// A buffer that stays empty for this long, though something has changed, does not work. Nanoseconds.
  private static let patience: Int64 = 2_000_000_000
  /// A buffer that is silent for longer than this may be a sensor hub's, which tells of changes only; the judge needs to
  /// know that it is still so. Nanoseconds.
  private static let pause: Int64 = 100_000_000

  private let rate: Double
  private var stream: SampleStream?
  private var isGivenUp = false
  private var hasDelivered = false
  private var heardAt: Int64 = 0
  /// What the buffer said last, or else what was read first since it is on.
  private var known: Acceleration?
  private var doze = Doze()

  /// - Parameter rate: samples a second while a turn may be under way.
  init(rate: Double) {
    self.rate = rate
  }

  var isStreaming: Bool { stream != nil }
  /// Whether `follow` would turn a buffer on.
  var mayFollow: Bool { stream == nil && !isGivenUp }

  /// - Parameters:
  ///   - sensor: to be read from now on.
  ///   - gyroscope: that belongs to it.
  ///   - now: nanoseconds since boot.
  mutating func follow(_ sensor: OpenAccelerometer, _ gyroscope: OpenGyroscope?, at now: Int64) {
    guard mayFollow else { return }
    let hasGyroscope = gyroscope?.isOfAccelerometer ?? false
    let isPossible = SampleStream.isPossible(id: sensor.id)
    let use = SampleStream.Use.following(rate: rate, withGyroscope: hasGyroscope)
    stream = isPossible ? try? sensor.stream(use) : nil
    isGivenUp = stream == nil
    hasDelivered = false
    known = nil
    heardAt = now
  }

  mutating func rest() {
    stream = nil
    doze.end()
  }

  /// Starts over, with another sensor or the same.
  mutating func startAnew() {
    rest()
    isGivenUp = false
    doze = Doze()
  }

  // MARK: While nothing moves

  /// Whether the sensor itself tells of the next movement.
  var isDozing: Bool { doze.isOn }
  /// Can be read when it tells of one.
  var told: Int32? { isDozing ? stream?.descriptor : nil }
  /// Nanoseconds until it is to be checked that it would have told.
  var patience: Int64 { doze.patience }

  /// Whether `beginToDoze` may be tried.
  func mayDoze(_ sensor: OpenAccelerometer) -> Bool {
    stream == nil && !isGivenUp && doze.isTrusted && SampleStream.mayTellOfChanges(id: sensor.id)
  }

  /// Lets the sensor tell of the next change, if it can.
  mutating func beginToDoze(_ sensor: OpenAccelerometer, at place: Acceleration) {
    stream = try? sensor.stream(.changes(hysteresis: Doze.hysteresis))
    if stream == nil { doze.distrust() } else { doze.begin(at: place) }
  }

  /// - Returns: what the sensor tells; or when it tells nothing, what is read to check that there was nothing to tell.
  mutating func readDozing(_ sensor: OpenAccelerometer) throws(Message) -> Acceleration {
    if let newest = (try? stream?.newSamples())?.last {
      let place = try sensor.acceleration(newest)
      doze.hear(place)
      return place
    }
    let place = try sensor.read()
    doze.check(place)
    return place
  }

  /// - Returns: a sample, in the frame of the panel, and its age in nanoseconds; `nil` if there is no new one yet. If
  ///   several are new it is their mean.
  mutating func read(_ sensor: OpenAccelerometer, _ gyroscope: OpenGyroscope?, at now: Int64) throws(Message)
    -> (
      MotionSample, Int64
    )?
  {
    if let stream, let new = takeSamples(of: stream, at: now), let newest = new.last {
      let sample = try Self.mean(of: new, sensor, gyroscope)
      known = sample?.acceleration
      return sample.map { ($0, stream.age(of: newest)) }
    }
    if stream != nil, hasDelivered, now - heardAt < Self.pause { return nil }
    return try readByValue(sensor, at: now).map { ($0, 0) }
  }

  private mutating func readByValue(
    _ sensor: OpenAccelerometer, at now: Int64
  ) throws(Message) -> MotionSample? {
    let isOverdue = stream != nil && now - heardAt >= Self.patience
    do throws(Message) {
      let read = try sensor.read()
      if isOverdue, let known, Doze.isChange(from: known, to: read) { giveUp() }
      known = known ?? read
      return MotionSample(read)
    } catch {
      // Our own buffer may be the reason why the driver does not answer.
      guard stream != nil, error.code == .sensorBusy else { throw error }
      if isOverdue { giveUp() }
      return nil
    }
  }

  private static func mean(
    of samples: [ScanLayout.Sample], _ sensor: OpenAccelerometer, _ gyroscope: OpenGyroscope?
  ) throws(Message) -> MotionSample? {
    var mean = MotionMean()
    for sample in samples { mean.add(try sensor.acceleration(sample), rate: gyroscope?.rate(sample)) }
    return mean.sample
  }

  /// `nil` if there is none.
  private mutating func takeSamples(of stream: SampleStream, at now: Int64) -> [ScanLayout.Sample]? {
    do throws(ErrorNumber) {
      let samples = try stream.newSamples()
      if !samples.isEmpty {
        hasDelivered = true
        heardAt = now
        return samples
      }
    } catch {
      giveUp()
    }
    return nil
  }

  private mutating func giveUp() {
    stream = nil
    isGivenUp = true
  }
}
