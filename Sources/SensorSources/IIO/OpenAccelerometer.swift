// SPDX-License-Identifier: MIT

import Autorotation
import System

/// An accelerometer, ready to be read. Belongs to the thread that opened it.
nonisolated final class OpenAccelerometer {
  /// Changes when another sensor is chosen or this one has another mount matrix.
  let identity: MountedAccelerometer
  /// The settings name another one, which is missing.
  let missingDevice: Message?
  /// The devices that there were when it was opened.
  let context: IIOContext
  private let device: IIODevice
  private let axes: [SensorAxis]

  /// - Parameters:
  ///   - place: display or base.
  ///   - settings: their name overrides the location, their matrices override those of udev and the kernel.
  ///   - context: where to search; `nil` to search the devices that there are now.
  init(
    _ place: AccelerometerCandidate.Place, _ settings: AccelerometerSettings, in context: IIOContext? = nil
  ) throws(Message) {
    if let context { self.context = context } else { self.context = try IIOContext() }
    let chosen = try self.context.choose(place, settings)
    let device = chosen.device
    self.device = device
    missingDevice = place == .display ? chosen.missing : nil
    identity = MountedAccelerometer(place, device, settings)
    axes = try Self.reporting(identity.title) { () throws(AxisFault) in
      try [SensorAxis](IIODevice.axes, of: device)
    }
  }

  /// One sample, in the frame of the panel, or of the base. May block for as long as the hardware takes.
  func read() throws(Message) -> Acceleration {
    try acceleration { () throws(AxisFault) in try axes.read() }
  }

  /// Reads only some axes of the panel, if each of them is parallel to one of the sensor's; the others keep their
  /// values. Otherwise reads all.
  func read(_ wanted: [MountMatrix.Axis], beside known: Acceleration) throws(Message) -> Acceleration {
    var sample = known
    for axis in wanted {
      guard let (source, factor) = identity.mount.matrix.source(of: axis) else { return try read() }
      let value = try Self.reporting(identity.title) { () throws(AxisFault) in
        try axes[source.rawValue].read()
      }
      sample[axis.rawValue] = factor * value
    }
    return sample
  }

  /// Converts a sample of the kernel's buffer to the same frame.
  func acceleration(_ sample: ScanLayout.Sample) throws(Message) -> Acceleration {
    try acceleration { () throws(AxisFault) in try axes.values([sample.x, sample.y, sample.z]) }
  }

  private func acceleration(_ read: () throws(AxisFault) -> [Double]) throws(Message) -> Acceleration {
    let values = try Self.reporting(identity.title, read)
    return identity.mount.matrix(Acceleration(values))
  }

  private static func reporting<Reading>(_ title: String, _ read: () throws(AxisFault) -> Reading)
    throws(Message) -> Reading
  {
    try Result(catching: read).mapError { $0.message(ofAccelerometer: title) }.get()
  }

  /// The gyroscope that rotates with it, if there is one.
  /// - Throws: why it cannot be used.
  func gyroscope() throws(Message) -> OpenGyroscope? {
    guard let (device, relation) = context.gyroscope(of: device) else { return nil }
    do throws(AxisFault) {
      return try OpenGyroscope(device, of: context, relation, accelerometer: identity.mount)
    } catch {
      guard let message = error.message(ofGyroscope: device.candidate.title) else { return nil }
      throw message
    }
  }

  var id: String { identity.id }

  func stream(_ mode: SampleStream.Mode) throws(SystemError) -> SampleStream {
    try SampleStream(id: id, name: identity.name, mode)
  }
}
