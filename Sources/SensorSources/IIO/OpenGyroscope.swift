// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The gyroscope of an accelerometer, ready to be read. Belongs to the thread that opened it.
nonisolated final class OpenGyroscope {
  /// For the person: "gyro_3d (iio:device1)".
  let title: String
  /// How it is mounted.
  let mount: MountMatrixChoice
  /// Whether the kernel's device is the accelerometer's, too: then one buffer has both.
  let isOfAccelerometer: Bool
  private let axes: [RateAxis]

  /// - Parameters:
  ///   - device: that has it.
  ///   - kinship: of it to the accelerometer.
  ///   - accelerometer: how that one is mounted, and whether a person said so.
  /// - Throws: what its driver says that cannot be used.
  init(
    _ device: IIODevice, _ kinship: GyroscopeKinship, accelerometer: MountMatrixChoice, isOverridden: Bool
  ) throws(AxisFault) {
    title = device.candidate.title
    isOfAccelerometer = kinship == .device
    mount = .ofGyroscope(
      device.mountMatrices(of: "anglvel"), kinship, accelerometer: accelerometer, isOverridden: isOverridden)
    var axes: [RateAxis] = []
    for name in IIODevice.rates {
      guard let channel = device.channel(name), let file = channel.file(of: "raw") else {
        throw .unreadable(ENODEV)
      }
      let path = "\(DeviceFiles(id: device.id).directory)/\(file)"
      axes.append(try RateAxis(name, channel, path: path))
    }
    self.axes = axes
  }

  /// In the frame of the panel. May block for as long as the hardware takes.
  func read() throws(AxisFault) -> AngularRate {
    let values = [try axes[0].read(), try axes[1].read(), try axes[2].read()]
    return mount.matrix(AngularRate(x: values[0], y: values[1], z: values[2]))
  }

  /// What a sample of the kernel's buffer means, in the same frame; `nil` if there is no rate in it.
  func rate(_ sample: ScanLayout.Sample) -> AngularRate? {
    let values = zip(axes, sample.rates).compactMap { try? $0.scale.value($1) }
    guard values.count == axes.count else { return nil }
    return mount.matrix(AngularRate(x: values[0], y: values[1], z: values[2]))
  }

  /// Keeps no file open until it is read again.
  func rest() {
    for axis in axes { axis.rest() }
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

/// What keeps a gyroscope from being read.
nonisolated enum GyroscopeFault: Error, Equatable {
  case axis(AxisFault)
  case slow

  func message(of title: String) -> Message {
    switch self {
    case .axis(.unreadable(let code)): .unreadableGyroscope(title, code: code)
    case .axis(.nonsense(let text, let attribute)): .nonsense(text, in: attribute, ofGyroscope: title)
    case .slow: .slowGyroscope(title)
    }
  }

  /// It has gone, which is no fault.
  var isAbsence: Bool {
    if case .axis(let fault) = self { fault.isAbsence } else { false }
  }
}

/// One axis, whose file stays open while it is read again and again.
nonisolated private final class RateAxis {
  let scale: AxisScale
  private let path: String
  private var descriptor: Int32 = -1

  /// - Parameter path: of its raw value.
  init(_ name: String, _ channel: IIOChannel, path: String) throws(AxisFault) {
    self.path = path
    scale = try AxisScale(name, channel)
  }

  deinit {
    rest()
  }

  func rest() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  func read() throws(AxisFault) -> Double {
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .unreadable(errno) }
    return try scale.value(ofText: Self.text(of: descriptor))
  }

  private static func text(of descriptor: Int32) throws(AxisFault) -> String {
    let (count, text) = withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      lseek(descriptor, 0, SEEK_SET)
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      let bytes = buffer.prefix(max(0, count)).prefix { $0 > 0x20 }
      return (count, String(decoding: bytes, as: UTF8.self))
    }
    guard count >= 0 else { throw .unreadable(errno) }
    return text
  }
}
