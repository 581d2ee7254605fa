// SPDX-License-Identifier: MIT

import Glibc

/// What an axis's raw value means: (raw + offset) · scale, in m/s² or rad/s.
nonisolated struct AxisScale {
  private let name: String
  private let offset: Double
  private let scale: Double

  /// - Parameter name: the channel's: "accel_x".
  init(_ name: String, _ channel: IIOChannel) throws(AxisFault) {
    self.name = name
    offset = try channel.number("offset", axis: name) ?? 0
    scale = try channel.number("scale", axis: name) ?? 1
    guard scale != 0 else { throw .nonsense("0", attribute: "\(name) scale") }
  }

  func value(_ raw: Double) throws(AxisFault) -> Double {
    let value = (raw + offset) * scale
    guard value.isFinite else { throw .nonsense("\(value)", attribute: name) }
    return value
  }

  func value(_ raw: Int64) throws(AxisFault) -> Double { try value(Double(raw)) }

  /// What the driver wrote for a person to read.
  func value(ofText text: String) throws(AxisFault) -> Double {
    try value(AxisFault.number(text, in: "\(name) raw"))
  }
}

/// What keeps an axis from being read.
nonisolated enum AxisFault: Error, Equatable {
  /// An errno.
  case unreadable(Int32)
  case nonsense(String, attribute: String)

  /// It has gone, which is no fault.
  var isAbsence: Bool {
    if case .unreadable(let code) = self { [ENODEV, ENOENT, ENXIO].contains(code) } else { false }
  }

  static func number(_ text: String, in attribute: String) throws(AxisFault) -> Double {
    guard let number = Double(text), number.isFinite else { throw .nonsense(text, attribute: attribute) }
    return number
  }
}

nonisolated extension IIOChannel {
  /// - Returns: `nil` if there is no such attribute.
  func number(_ attribute: String, axis: String) throws(AxisFault) -> Double? {
    let text: String?
    do {
      text = try self.text(attribute)
    } catch {
      throw .unreadable(error.code)
    }
    guard let text else { return nil }
    return try AxisFault.number(text, in: "\(axis) \(attribute)")
  }
}
