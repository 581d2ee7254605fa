// SPDX-License-Identifier: MIT

import Autorotation

/// An accelerometer, ready to be read. Belongs to the thread that opened it.
nonisolated final class OpenAccelerometer {
  /// The identity of a sensor. It changes when another sensor is chosen or this one has another mount matrix.
  struct Identity: Equatable {
    let title: String
    let mount: MountMatrixChoice
  }

  let identity: Identity
  /// The kernel's: "iio:device0".
  let id: String
  private let name: String?
  private let context: IIOContext
  private let device: IIODevice
  private let isMountOverridden: Bool
  private let axes: [IIOAxis]

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
      title: chosen.title, mount: .choose(override: mountMatrix, from: device.mountMatrices))
    axes = try IIODevice.axes.map { name throws(Message) in
      try IIOAxis(name, of: device, sensor: chosen.title)
    }
  }

  /// One sample, in the frame of the panel, or of the base. May block for as long as the hardware takes.
  func read() throws(Message) -> Acceleration {
    let x = try axes[0].read()
    let y = try axes[1].read()
    let z = try axes[2].read()
    return identity.mount.matrix(Acceleration(x: x, y: y, z: z))
  }

  /// What a sample of the kernel's buffer means, in the same frame.
  func acceleration(_ sample: ScanLayout.Sample) throws(Message) -> Acceleration {
    let x = try axes[0].value(Double(sample.x))
    let y = try axes[1].value(Double(sample.y))
    let z = try axes[2].value(Double(sample.z))
    return identity.mount.matrix(Acceleration(x: x, y: y, z: z))
  }

  /// The gyroscope that turns with it; `nil` without one.
  /// - Throws: what keeps it from being used.
  func gyroscope() throws(Message) -> OpenGyroscope? {
    guard let (device, kinship) = context.gyroscope(of: device) else { return nil }
    do throws(GyroscopeFault) {
      return try OpenGyroscope(
        device, kinship, accelerometer: identity.mount, isOverridden: isMountOverridden)
    } catch {
      if error.isAbsence { return nil }
      throw error.message(of: device.candidate.title)
    }
  }

  func stream(rate: Double, withGyroscope: Bool) throws(ErrorNumber) -> SampleStream {
    try SampleStream(id: id, name: name, rate: rate, withGyroscope: withGyroscope)
  }
}

/// One axis: (raw + offset) · scale is m/s².
nonisolated private struct IIOAxis {
  private let name: String
  private let sensor: String
  private let channel: IIOChannel
  private let offset: Double
  private let scale: Double

  init(_ name: String, of device: IIODevice, sensor: String) throws(Message) {
    guard let channel = device.channel(name) else {
      throw .unusable("the accelerometer \(sensor) has no \(name)")
    }
    self.name = name
    self.sensor = sensor
    self.channel = channel
    offset = try channel.number("offset", of: sensor, axis: name) ?? 0
    scale = try channel.number("scale", of: sensor, axis: name) ?? 1
    guard scale != 0 else { throw .nonsense("0", in: "\(name) scale", of: sensor) }
  }

  func read() throws(Message) -> Double {
    guard let raw = try channel.number("raw", of: sensor, axis: name) else {
      throw .unusable("the accelerometer \(sensor) has no raw value of \(name)")
    }
    return try value(raw)
  }

  func value(_ raw: Double) throws(Message) -> Double {
    let value = (raw + offset) * scale
    guard value.isFinite else {
      throw .nonsense("\(value)", in: name, of: sensor)
    }
    return value
  }
}

nonisolated extension IIOChannel {
  /// - Returns: `nil` if there is no such attribute.
  fileprivate func number(_ attribute: String, of sensor: String, axis: String) throws(Message)
    -> Double?
  {
    let text: String?
    do {
      text = try self.text(attribute)
    } catch {
      throw .unreadable(sensor, code: error.code)
    }
    guard let text else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw .nonsense(text, in: "\(axis) \(attribute)", of: sensor)
    }
    return number
  }
}
