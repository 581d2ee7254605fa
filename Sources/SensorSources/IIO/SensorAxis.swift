// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// One axis of an accelerometer in m/s² or of a gyroscope in rad/s, or an angle in rad: (raw + offset) · scale.
nonisolated struct SensorAxis {
  private let name: String
  private let channel: IIOChannel
  private let offset: Double
  private let scale: Double

  /// - Parameter name: of the channel: "accel_x".
  init(_ name: String, of device: IIODevice) throws(AxisFault) {
    guard let channel = device.channel(name) else { throw .unreadable(ENODEV) }
    self.name = name
    self.channel = channel
    offset = try channel.number("offset", axis: name) ?? 0
    scale = try channel.number("scale", axis: name) ?? 1
    guard scale != 0 else { throw .invalidValue("0", attribute: "\(name) scale") }
  }

  /// May block for as long as the hardware takes.
  func read() throws(AxisFault) -> Double {
    guard let raw = try channel.number("raw", axis: name) else { throw .unreadable(ENODEV) }
    return try value(raw)
  }

  func value(_ raw: Double) throws(AxisFault) -> Double {
    let value = (raw + offset) * scale
    guard value.isFinite else { throw .invalidValue("\(value)", attribute: name) }
    return value
  }
}

/// x, y and z of one sensor.
nonisolated extension [SensorAxis] {
  init(_ names: [String], of device: IIODevice) throws(AxisFault) {
    self = try names.map { name throws(AxisFault) in try SensorAxis(name, of: device) }
  }

  func read() throws(AxisFault) -> [Double] {
    try map { axis throws(AxisFault) in try axis.read() }
  }

  /// Converts the raw values in a sample of the kernel's buffer.
  func values(_ raw: [Int64]) throws(AxisFault) -> [Double] {
    try zip(self, raw).map { axis, raw throws(AxisFault) in try axis.value(Double(raw)) }
  }
}

/// Why an axis cannot be read.
nonisolated enum AxisFault: Error, Equatable {
  /// An errno.
  case unreadable(Int32)
  case invalidValue(String, attribute: String)
}

nonisolated extension IIOChannel {
  /// - Returns: `nil` if there is no such attribute.
  fileprivate func number(_ attribute: String, axis: String) throws(AxisFault) -> Double? {
    guard let text = try self.text(attribute) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw .invalidValue(text, attribute: "\(axis) \(attribute)")
    }
    return number
  }
}

/// Chooses the axes to read of a device at rest: only those that show a rotation of the screen, since with many drivers
/// each axis waits for the hardware. Neither reads nor waits.
///
/// Upright, a rotation in the panel's plane changes the level axis by `Stillness.noiseLimit` after 3°, and the axis
/// along gravity only after 18°. So the level axis is read, and each fourth time the other, which shows a device that
/// falls over backwards. Flat, either may change alone. The third axis shows no rotation that these two do not show.
nonisolated struct RestingAxes {
  /// m/s²: half of gravity. If both axes of the panel's plane measure less, the device lies flat.
  private static let upright = 4.9
  /// Reads per cycle, one of them of the axis along gravity.
  private static let cycle = 4

  private var count = 0

  /// - Parameter acceleration: the acceleration of the device at rest, in the frame of the panel.
  mutating func next(at acceleration: Acceleration) -> [MountMatrix.Axis] {
    guard max(abs(acceleration.x), abs(acceleration.y)) >= Self.upright else { return [.x, .y] }
    count = (count + 1) % Self.cycle
    let readsLevelAxis = count != 0
    return [(abs(acceleration.x) < abs(acceleration.y)) == readsLevelAxis ? .x : .y]
  }
}
