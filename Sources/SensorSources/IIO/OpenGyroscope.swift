// SPDX-License-Identifier: MIT

import Autorotation

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
  ///   - isOverridden: whether that matrix is from the settings.
  /// - Throws: the attribute of the driver that cannot be used.
  init(
    _ device: IIODevice, of context: IIOContext, _ relation: GyroscopeRelation,
    accelerometer: MountMatrixChoice, isOverridden: Bool
  ) throws(AxisFault) {
    self.context = context
    title = device.candidate.title
    isOfAccelerometer = relation == .device
    mount = .ofGyroscope(
      device.mountMatrices(of: "anglvel"), relation, accelerometer: accelerometer, isOverridden: isOverridden)
    axes = try [SensorAxis](IIODevice.rates, of: device)
  }

  /// In the frame of the panel. May block for as long as the hardware takes.
  func read() throws(AxisFault) -> AngularRate { rate(try axes.read()) }

  /// Converts a sample of the kernel's buffer to the same frame; `nil` if it has no rate.
  func rate(_ sample: ScanLayout.Sample) -> AngularRate? {
    sample.rates.isEmpty ? nil : (try? axes.values(sample.rates)).map(rate)
  }

  private func rate(_ values: [Double]) -> AngularRate {
    mount.matrix(AngularRate(x: values[0], y: values[1], z: values[2]))
  }
}

nonisolated extension MountMatrixChoice {
  /// The matrix of a gyroscope: one from the settings applies to a whole chip or hub; else its own, else the accelerometer's.
  /// - Parameter candidates: its own, highest precedence first.
  static func ofGyroscope(
    _ candidates: [Candidate], _ relation: GyroscopeRelation, accelerometer: Self, isOverridden: Bool
  ) -> Self {
    if isOverridden, relation.sharesMount { return accelerometer }
    let own = choose(override: nil, from: candidates)
    let hasNone = own.problems.count == candidates.count
    guard hasNone, relation.sharesMount else { return own }
    return Self(
      matrix: accelerometer.matrix, origin: accelerometer.origin, source: accelerometer.source,
      problems: own.problems)
  }
}
