// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// Reads the gyroscope beside the accelerometer, while a turn may be under way. Whatever happens to it, the
/// accelerometer is read on. Belongs to the reading thread.
nonisolated struct GyroscopeReader {
  /// Nanoseconds. A sensor hub may take that long to wake up, but not each time.
  private static let longestRead: Int64 = 500_000_000

  private let isWanted: Bool
  private var gyroscope: OpenGyroscope?
  private var hasLooked = false
  private var failures = 0
  private var problems: [Message] = []

  init(isWanted: Bool) {
    self.isWanted = isWanted
  }

  /// A turn may be under way.
  /// - Returns: the gyroscope of the sensor, if it has one that works.
  mutating func follow(_ sensor: OpenAccelerometer) -> OpenGyroscope? {
    guard isWanted, !hasLooked else { return gyroscope }
    hasLooked = true
    do throws(Message) {
      gyroscope = try sensor.gyroscope()
      problems += gyroscope?.mount.problems ?? []
    } catch {
      problems.append(error)
    }
    return gyroscope
  }

  /// - Parameter isStreaming: whether our own buffer is on, which may keep the same device from being read.
  /// - Returns: `nil` if there is nothing to be had.
  mutating func read(isStreaming: Bool) -> AngularRate? {
    guard let gyroscope else { return nil }
    do throws(GyroscopeFault) {
      let rate = try Self.readInTime(gyroscope)
      failures = 0
      return rate
    } catch {
      let isOwnDoing = isStreaming && gyroscope.isOfAccelerometer && error == .axis(.unreadable(EBUSY))
      if !isOwnDoing { fail(error, of: gyroscope) }
      return nil
    }
  }

  private static func readInTime(_ gyroscope: OpenGyroscope) throws(GyroscopeFault) -> AngularRate {
    let begun = EventLoop.now
    let rate: AngularRate
    do throws(AxisFault) { rate = try gyroscope.read() } catch { throw .axis(error) }
    guard EventLoop.now - begun <= longestRead else { throw .slow }
    return rate
  }

  /// One failure is a hiccup. After some in a row it is left alone until sensors come or go.
  private mutating func fail(_ fault: GyroscopeFault, of gyroscope: OpenGyroscope) {
    failures += 1
    guard failures >= ReadingHealth.failuresUntilLost || fault.isAbsence else { return }
    self.gyroscope = nil
    if !fault.isAbsence { problems.append(fault.message(of: gyroscope.title)) }
  }

  /// Nothing may turn, or only something that the accelerometer will tell first.
  mutating func rest() {
    gyroscope?.rest()
  }

  /// Sensors have come or gone.
  mutating func startAnew() {
    gyroscope = nil
    hasLooked = false
    failures = 0
  }

  /// What a person should know, and has not been told.
  mutating func takeProblems() -> [Message] {
    defer { problems = [] }
    return problems
  }
}
