// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// Reads the gyroscope together with the accelerometer while the device may be rotating. If it fails, the accelerometer
/// is still read. Belongs to the reading thread.
nonisolated struct GyroscopeReader {
  private let isWanted: Bool
  private var gyroscope: OpenGyroscope?
  private var hasSearched = false
  private var failures = 0
  private var problems: [Message] = []

  init(isWanted: Bool) {
    self.isWanted = isWanted
  }

  /// Opens the gyroscope at the first call.
  /// - Returns: the gyroscope of the sensor, if it has one that works.
  mutating func find(for sensor: OpenAccelerometer) -> OpenGyroscope? {
    guard isWanted, !hasSearched else { return gyroscope }
    hasSearched = true
    do throws(Message) {
      gyroscope = try sensor.gyroscope()
      problems += gyroscope?.mount.problems ?? []
    } catch {
      problems.append(error)
    }
    return gyroscope
  }

  /// - Parameters:
  ///   - isStreaming: whether our own buffer is on, for which a driver may refuse reads of the same device.
  ///   - clock: nanoseconds.
  /// - Returns: `nil` if there is no rate.
  mutating func read(isStreaming: Bool, clock: () -> Int64 = { EventLoop.now }) -> AngularRate? {
    guard let gyroscope else { return nil }
    do throws(AxisFault) {
      let begun = clock()
      let rate = try gyroscope.read()
      guard clock() - begun <= ReadingHealth.maximumReadTime else {
        fail(.slowGyroscope(gyroscope.title))
        return nil
      }
      failures = 0
      return rate
    } catch {
      let isOwnBuffer = isStreaming && gyroscope.isOfAccelerometer && error == .unreadable(EBUSY)
      if !isOwnBuffer { fail(error.message(ofGyroscope: gyroscope.title)) }
      return nil
    }
  }

  /// After several failures in a row it is not read until sensors are added or removed.
  /// - Parameter problem: `nil` if the gyroscope is gone.
  private mutating func fail(_ problem: Message?) {
    failures += 1
    guard failures >= ReadingHealth.failuresUntilLost || problem == nil else { return }
    gyroscope = nil
    if let problem { problems.append(problem) }
  }

  /// Sensors have been added or removed.
  mutating func reset() {
    gyroscope = nil
    hasSearched = false
    failures = 0
  }

  /// Problems that have not been reported yet.
  mutating func takeProblems() -> [Message] {
    defer { problems = [] }
    return problems
  }
}

/// The gyroscope of an accelerometer, ready to be read. Belongs to the thread that opened it.
nonisolated struct OpenGyroscope {
  /// Shown to the user: "gyro_3d (iio:device1)".
  let title: String
  let mount: MountMatrixChoice
  /// Whether the accelerometer is the same device of the kernel: then one buffer has both.
  let isOfAccelerometer: Bool
  private let axes: [SensorAxis]
  /// Keeps the axes valid.
  private let context: IIOContext

  /// - Parameters:
  ///   - relation: to the accelerometer.
  ///   - accelerometer: its mount matrix.
  /// - Throws: the attribute of the driver that cannot be used.
  init(
    _ device: IIODevice, of context: IIOContext, _ relation: GyroscopeRelation,
    accelerometer: MountMatrixChoice
  ) throws(AxisFault) {
    self.context = context
    title = device.candidate.title
    isOfAccelerometer = relation == .device
    mount = .ofGyroscope(device.mountMatrices(of: "anglvel"), relation, accelerometer: accelerometer)
    axes = try [SensorAxis](IIODevice.rates, of: device)
  }

  /// In the frame of the panel. May block for as long as the hardware takes.
  func read() throws(AxisFault) -> AngularRate { rate(try axes.read()) }

  /// Converts a sample of the kernel's buffer to the same frame; `nil` if it has no rate.
  func rate(_ sample: ScanLayout.Sample) -> AngularRate? {
    sample.rates.isEmpty ? nil : (try? axes.values(sample.rates)).map(rate)
  }

  private func rate(_ values: [Double]) -> AngularRate {
    mount.matrix(rate: AngularRate(values))
  }
}

nonisolated extension MountMatrixChoice {
  /// The matrix of a gyroscope: one from the settings applies to a whole chip or hub; else its own,
  /// else the accelerometer's.
  /// - Parameter candidates: its own, highest precedence first.
  static func ofGyroscope(
    _ candidates: [Candidate], _ relation: GyroscopeRelation, accelerometer: Self
  ) -> Self {
    if accelerometer.origin == .settings, relation.sharesMount { return accelerometer }
    let own = choose(override: nil, from: candidates)
    let hasNone = own.problems.count == candidates.count
    guard hasNone, relation.sharesMount else { return own }
    return Self(
      matrix: accelerometer.matrix, origin: accelerometer.origin, source: accelerometer.source,
      problems: own.problems)
  }
}
