// SPDX-License-Identifier: MIT

import Autorotation

/// The gyroscope of an accelerometer, ready to be read. Belongs to the thread that opened it.
nonisolated struct OpenGyroscope {
  /// For the person: "gyro_3d (iio:device1)".
  let title: String
  /// How it is mounted.
  let mount: MountMatrixChoice
  /// Whether the kernel's device is the accelerometer's, too: then one buffer has both.
  let isOfAccelerometer: Bool
  private let axes: [SensorAxis]
  /// The axes belong to it.
  private let context: IIOContext

  /// - Parameters:
  ///   - device: that has it.
  ///   - context: of the device.
  ///   - kinship: of it to the accelerometer.
  ///   - accelerometer: how that one is mounted, and whether a person said so.
  /// - Throws: what its driver says that cannot be used.
  init(
    _ device: IIODevice, of context: IIOContext, _ kinship: GyroscopeKinship,
    accelerometer: MountMatrixChoice, isOverridden: Bool
  ) throws(AxisFault) {
    self.context = context
    title = device.candidate.title
    isOfAccelerometer = kinship == .device
    mount = .ofGyroscope(
      device.mountMatrices(of: "anglvel"), kinship, accelerometer: accelerometer, isOverridden: isOverridden)
    axes = try [SensorAxis](IIODevice.rates, of: device)
  }

  /// In the frame of the panel. May block for as long as the hardware takes.
  func read() throws(AxisFault) -> AngularRate { rate(try axes.read()) }

  /// What a sample of the kernel's buffer means, in the same frame; `nil` if there is no rate in it.
  func rate(_ sample: ScanLayout.Sample) -> AngularRate? {
    sample.rates.isEmpty ? nil : (try? axes.values(sample.rates)).map(rate)
  }

  private func rate(_ values: [Double]) -> AngularRate {
    mount.matrix(AngularRate(x: values[0], y: values[1], z: values[2]))
  }
}

nonisolated extension MountMatrixChoice {
  /// That of a gyroscope: what a person says holds for all of a chip or hub; else its own, else the accelerometer's.
  /// - Parameter candidates: its own, in the order of their worth.
  static func ofGyroscope(
    _ candidates: [Candidate], _ kinship: GyroscopeKinship, accelerometer: Self, isOverridden: Bool
  ) -> Self {
    if isOverridden, kinship.sharesMount { return accelerometer }
    let own = choose(override: nil, from: candidates)
    let hasNone = own.problems.count == candidates.count
    guard hasNone, kinship.sharesMount else { return own }
    return Self(
      matrix: accelerometer.matrix, origin: accelerometer.origin, source: accelerometer.source,
      problems: own.problems)
  }
}
