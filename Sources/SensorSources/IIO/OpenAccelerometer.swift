// SPDX-License-Identifier: MIT

import Autorotation

/// An accelerometer, ready to be read. Belongs to the thread that opened it.
nonisolated final class OpenAccelerometer {
  /// The identity of a sensor. It changes when another sensor is chosen or this one has another mount matrix.
  struct Identity: Equatable {
    let title: String
    let sensor: HingeFrame.Sensor

    var mount: MountMatrixChoice { sensor.mount }
  }

  let identity: Identity
  /// The kernel's: "iio:device0".
  let id: String
  private let name: String?
  private let context: IIOContext
  private let device: IIODevice
  private let isMountOverridden: Bool
  private let axes: [AccelerationAxis]

  /// - Parameters:
  ///   - place: which one.
  ///   - mountMatrix: instead of what udev and the kernel say.
  init(_ place: AccelerometerCandidate.Place, mountMatrix: MountMatrix? = nil) throws(Message) {
    context = try IIOContext()
    let devices = context.accelerometers.map { (device: $0, candidate: $0.candidate) }
    let chosen = try AccelerometerCandidate.choose(place, from: devices.map(\.candidate))
    guard let device = devices.first(where: { $0.candidate.id == chosen.id })?.device else {
      throw .noAccelerometer
    }
    id = chosen.id
    name = chosen.name
    self.device = device
    isMountOverridden = mountMatrix != nil
    identity = Identity(
      title: chosen.title, sensor: HingeFrame.Sensor(place, device, override: mountMatrix))
    axes = try IIODevice.axes.map { name throws(Message) in
      try AccelerationAxis(name, of: device, sensor: chosen.title)
    }
  }

  /// One sample, in the frame of the panel, or of the base. May block for as long as the hardware takes.
  func read() throws(Message) -> Acceleration {
    let x = try axes[0].read()
    let y = try axes[1].read()
    let z = try axes[2].read()
    return identity.mount.matrix(Acceleration(x: x, y: y, z: z))
  }

  /// A sample of which only some axes of the panel are read, if each of them lies along one of the sensor's; the others
  /// are as before. Otherwise all are.
  func read(_ wanted: [MountMatrix.Axis], beside place: Acceleration) throws(Message) -> Acceleration {
    var sample = place
    for axis in wanted {
      guard let (source, factor) = identity.mount.matrix.source(of: axis) else { return try read() }
      sample[axis] = try factor * axes[source.rawValue].read()
    }
    return sample
  }

  /// What a sample of the kernel's buffer means, in the same frame.
  func acceleration(_ sample: ScanLayout.Sample) throws(Message) -> Acceleration {
    let x = try axes[0].value(sample.x)
    let y = try axes[1].value(sample.y)
    let z = try axes[2].value(sample.z)
    return identity.mount.matrix(Acceleration(x: x, y: y, z: z))
  }

  /// The gyroscope that turns with it; `nil` without one.
  /// - Throws: what keeps it from being used.
  func gyroscope() throws(Message) -> OpenGyroscope? {
    guard let (device, kinship) = context.gyroscope(of: device) else { return nil }
    do throws(AxisFault) {
      return try OpenGyroscope(
        device, kinship, accelerometer: identity.mount, isOverridden: isMountOverridden)
    } catch {
      if error.isAbsence { return nil }
      throw GyroscopeFault.axis(error).message(of: device.candidate.title)
    }
  }

  func stream(_ use: SampleStream.Use) throws(ErrorNumber) -> SampleStream {
    try SampleStream(id: id, name: name, use)
  }
}

nonisolated extension Acceleration {
  fileprivate subscript(axis: MountMatrix.Axis) -> Double {
    get {
      switch axis {
      case .x: x
      case .y: y
      case .z: z
      }
    }
    set {
      switch axis {
      case .x: x = newValue
      case .y: y = newValue
      case .z: z = newValue
      }
    }
  }
}

/// One axis, and whom to name if it cannot be read.
nonisolated private struct AccelerationAxis {
  private let name: String
  private let sensor: String
  private let channel: IIOChannel
  private let scale: AxisScale

  init(_ name: String, of device: IIODevice, sensor: String) throws(Message) {
    guard let channel = device.channel(name) else {
      throw .unusable("the accelerometer \(sensor) has no \(name)")
    }
    self.name = name
    self.sensor = sensor
    self.channel = channel
    scale = try Self.telling(sensor) { () throws(AxisFault) in try AxisScale(name, channel) }
  }

  func read() throws(Message) -> Double {
    let raw = try Self.telling(sensor) { () throws(AxisFault) in try channel.number("raw", axis: name) }
    guard let raw else { throw .unusable("the accelerometer \(sensor) has no raw value of \(name)") }
    return try Self.telling(sensor) { () throws(AxisFault) in try scale.value(raw) }
  }

  func value(_ raw: Int64) throws(Message) -> Double {
    try Self.telling(sensor) { () throws(AxisFault) in try scale.value(raw) }
  }

  private static func telling<Result>(_ sensor: String, _ body: () throws(AxisFault) -> Result)
    throws(Message) -> Result
  {
    do throws(AxisFault) {
      return try body()
    } catch {
      throw error.message(ofAccelerometer: sensor)
    }
  }
}

nonisolated extension AxisFault {
  fileprivate func message(ofAccelerometer title: String) -> Message {
    switch self {
    case .unreadable(let code): .unreadable(title, code: code)
    case .nonsense(let text, let attribute): .nonsense(text, in: attribute, of: title)
    }
  }
}
