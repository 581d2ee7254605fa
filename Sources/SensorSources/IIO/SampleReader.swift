// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// Reads an accelerometer: from the kernel's buffer while the device may be rotating and a buffer is available, else
/// value by value. Belongs to the reading thread.
///
/// At rest most buffers would only waste power: hardware and kernel fill them at the sensor's own rate, and the
/// classifier needs only a few samples per second. But on-change mode costs nothing until the device moves.
nonisolated struct SampleReader {
  /// A buffer that stays empty for this long although the value has changed does not work. Nanoseconds.
  private static let bufferTimeout: Int64 = 2_000_000_000
  /// A buffer without a sample for longer than this may be a sensor hub's, which reports changes only; then the value
  /// is read, since the classifier needs to know that it is still the same. Nanoseconds.
  private static let maximumGap: Int64 = 100_000_000

  private let rate: Double
  private var stream: SampleStream?
  private var isGivenUp = false
  /// Whether another program was using the buffer, which is no fault of the sensor: it is tried again the next time.
  private var isBusy = false
  private var hasDelivered = false
  private var lastDelivery: Int64 = 0
  /// The latest value of the buffer, or else the first read since it was turned on.
  private var lastValue: Acceleration?
  private var onChangeMode = OnChangeMode()

  /// - Parameter rate: samples per second while the device may be rotating.
  init(rate: Double) {
    self.rate = rate
  }

  var isStreaming: Bool { stream != nil }
  /// Whether `startStream` would turn a buffer on.
  var canStartStream: Bool { stream == nil && !isGivenUp }

  /// Turns the buffer on, if possible.
  /// - Parameter now: nanoseconds since boot.
  mutating func startStream(_ sensor: OpenAccelerometer, _ gyroscope: OpenGyroscope?, at now: Int64) {
    guard canStartStream else { return }
    let hasGyroscope = gyroscope?.isOfAccelerometer ?? false
    let mode = SampleStream.Mode.following(rate: rate, withGyroscope: hasGyroscope)
    isBusy = false
    do throws(SystemError) {
      stream = try SampleStream.isPossible(id: sensor.id) ? sensor.stream(mode) : nil
    } catch {
      isBusy = error.code == EBUSY
    }
    isGivenUp = stream == nil
    hasDelivered = false
    lastValue = nil
    lastDelivery = now
  }

  mutating func stopStream() {
    stream = nil
    onChangeMode.reported = nil
    if isBusy { (isBusy, isGivenUp) = (false, false) }
  }

  /// Must be called when a sensor was opened.
  mutating func reset() {
    stopStream()
    isGivenUp = false
    onChangeMode = OnChangeMode()
  }

  // MARK: At rest

  var isOnChange: Bool { onChangeMode.isOn }
  /// Readable when the sensor reports a change; `nil` outside of on-change mode.
  var changeDescriptor: Int32? { isOnChange ? stream?.descriptor : nil }
  /// Nanoseconds until the next check that no change was missed.
  var checkInterval: Int64 { onChangeMode.checkInterval }

  func canStartOnChangeMode(_ sensor: OpenAccelerometer) -> Bool {
    stream == nil && !isGivenUp && !isBusy && onChangeMode.isTrusted
      && SampleStream.canReportChanges(id: sensor.id)
  }

  /// Leaves it to the sensor to report the next change, if it supports that.
  mutating func startOnChangeMode(_ sensor: OpenAccelerometer, at acceleration: Acceleration) {
    do throws(SystemError) {
      stream = try sensor.stream(.changes(hysteresis: OnChangeMode.hysteresis))
      onChangeMode.reported = acceleration
    } catch {
      isBusy = error.code == EBUSY
      if !isBusy { onChangeMode.distrust() }
    }
  }

  /// - Returns: the change that the sensor has reported; without one, a value read to check that none was missed.
  mutating func readOnChange(_ sensor: OpenAccelerometer) throws(Message) -> Acceleration {
    if let newest = (try? stream?.newSamples())?.last {
      let acceleration = try sensor.acceleration(newest)
      onChangeMode.reported = acceleration
      return acceleration
    }
    let acceleration = try sensor.read()
    onChangeMode.check(acceleration)
    return acceleration
  }

  /// - Returns: a sample, in the frame of the panel, and its age in nanoseconds; `nil` if there is no new one yet. If
  ///   several are new it is their mean.
  mutating func read(_ sensor: OpenAccelerometer, _ gyroscope: OpenGyroscope?, at now: Int64) throws(Message)
    -> (MotionSample, Int64)?
  {
    if let stream, let new = takeSamples(of: stream, at: now), let newest = new.last {
      let sample = try Self.mean(of: new, sensor, gyroscope)
      lastValue = sample?.acceleration
      return sample.map { ($0, stream.age(of: newest)) }
    }
    if stream != nil, hasDelivered, now - lastDelivery < Self.maximumGap { return nil }
    return try readByValue(sensor, at: now).map { ($0, 0) }
  }

  private mutating func readByValue(
    _ sensor: OpenAccelerometer, at now: Int64
  ) throws(Message) -> MotionSample? {
    let isOverdue = stream != nil && now - lastDelivery >= Self.bufferTimeout
    do throws(Message) {
      let read = try sensor.read()
      if isOverdue, let lastValue, OnChangeMode.isChange(from: lastValue, to: read) { giveUp() }
      lastValue = lastValue ?? read
      return MotionSample(read)
    } catch {
      // Our own buffer may be the reason why the driver refuses the read.
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

  /// `nil` if they cannot be read.
  private mutating func takeSamples(of stream: SampleStream, at now: Int64) -> [ScanLayout.Sample]? {
    guard let samples = try? stream.newSamples() else {
      giveUp()
      return nil
    }
    if !samples.isEmpty { (hasDelivered, lastDelivery) = (true, now) }
    return samples
  }

  private mutating func giveUp() {
    stream = nil
    isGivenUp = true
  }
}

/// The mean of the samples that a device delivered between two reads, in the frame of the panel.
nonisolated struct MotionMean {
  private var acceleration = Acceleration.zero
  private var rate = AngularRate.zero
  private var magnitudes = MotionSample.Magnitudes(mean: 0, meanSquare: 0)
  private var count = 0.0
  private var rates = 0.0

  mutating func add(_ a: Acceleration, rate w: AngularRate?) {
    count += 1
    acceleration += (a - acceleration) / count
    let magnitude = a.magnitude
    magnitudes.mean += (magnitude - magnitudes.mean) / count
    magnitudes.meanSquare += (magnitude * magnitude - magnitudes.meanSquare) / count
    guard let w else { return }
    rates += 1
    rate += (w - rate) / rates
  }

  /// `nil` without samples.
  var sample: MotionSample? {
    guard count > 0 else { return nil }
    return MotionSample(
      acceleration, rate: rates > 0 ? rate : nil, magnitudes: count > 1 ? magnitudes : nil)
  }
}

/// Whether the sensor is in on-change mode: it reports changes above a hysteresis, and is not polled.
///
/// Some hubs accept a hysteresis and then report nothing, which would stop rotation for good. So the last reported
/// value is compared with a read from time to time, less and less often while they agree.
/// The first missed change ends the mode.
nonisolated struct OnChangeMode {
  /// m/s²: some 2° of tilt, more than the noise of common sensors, and less than `Stillness.noiseLimit`, so that no
  /// change remains unreported that matters.
  static let hysteresis = 0.4
  /// Nanoseconds.
  private static let minimumCheckInterval: Int64 = 120_000_000_000
  private static let maximumCheckInterval: Int64 = 3_600_000_000_000

  private(set) var isTrusted = true
  private(set) var checkInterval = Self.minimumCheckInterval
  /// As last reported by the sensor, or as it was when the mode began; `nil` while the sensor is polled.
  var reported: Acceleration?

  var isOn: Bool { reported != nil }

  mutating func distrust() {
    reported = nil
    isTrusted = false
  }

  /// Compares a read with the last report.
  mutating func check(_ read: Acceleration) {
    guard let reported, !Self.isChange(from: reported, to: read) else { return distrust() }
    checkInterval = min(2 * checkInterval, Self.maximumCheckInterval)
  }

  /// Whether the difference exceeds twice the hysteresis: once for the sensor, and once for what it measures between
  /// two reports.
  static func isChange(from old: Acceleration, to read: Acceleration) -> Bool {
    max(abs(read.x - old.x), abs(read.y - old.y), abs(read.z - old.z)) > 2 * hysteresis
  }
}
