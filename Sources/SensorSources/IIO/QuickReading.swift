// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// Reads an accelerometer: from the kernel's buffer while a turn may be under way and a buffer can be had, else
/// value by value. Belongs to the reading thread.
///
/// At rest the buffer would only waste power: hardware and kernel fill it at the sensor's own rate, and the judge needs
/// only a few samples per second.
nonisolated struct QuickReading {
  /// A buffer that stays empty for this long (nanoseconds) does not work.
  private static let patience: Int64 = 2_000_000_000

  private let rate: Double
  private var stream: SampleStream?
  private var isGivenUp = false
  private var hasDelivered = false
  private var heardAt: Int64 = 0

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
    stream = isPossible ? try? sensor.stream(rate: rate, withGyroscope: hasGyroscope) : nil
    isGivenUp = stream == nil
    hasDelivered = false
    heardAt = now
  }

  mutating func rest() {
    stream = nil
  }

  /// Starts over, with another sensor or the same.
  mutating func startAnew() {
    stream = nil
    isGivenUp = false
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
      return sample.map { ($0, stream.age(of: newest)) }
    }
    if stream != nil, hasDelivered { return nil }
    do throws(Message) {
      return (MotionSample(try sensor.read()), 0)
    } catch {
      // Our own buffer may be the reason why the driver does not answer.
      if stream != nil, error.code == .sensorBusy { return nil }
      throw error
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
      if now - heardAt >= Self.patience { giveUp() }
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
