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
    do throws(AxisFault) {
      let begun = EventLoop.now
      let rate = try gyroscope.read()
      guard EventLoop.now - begun <= Self.longestRead else {
        fail(.slowGyroscope(gyroscope.title))
        return nil
      }
      failures = 0
      return rate
    } catch {
      let isOwnDoing = isStreaming && gyroscope.isOfAccelerometer && error == .unreadable(EBUSY)
      if !isOwnDoing { fail(error.message(ofGyroscope: gyroscope.title)) }
      return nil
    }
  }

  /// One failure is a hiccup. After some in a row it is left alone until sensors come or go.
  /// - Parameter problem: `nil` if it is gone.
  private mutating func fail(_ problem: Message?) {
    failures += 1
    guard failures >= ReadingHealth.failuresUntilLost || problem == nil else { return }
    gyroscope = nil
    if let problem { problems.append(problem) }
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
