// SPDX-License-Identifier: MIT

import CXCB

/// A panel device with the properties that decide where its touches land.
struct DeviceMatrix {
  var device: PanelDevice
  /// Its Coordinate Transformation Matrix.
  var matrix: ProjectiveTransform
  /// Our property; `nil` before we first wrote it.
  var calibration: ProjectiveTransform?
  /// A turn that Xorg's wacom driver makes by itself before the matrix, 0 for none. Our matrix carries
  /// the whole turn, so what another program left there is taken back.
  var wacomRotation: UInt8

  /// Sends what it takes to get from `old` to these, without waiting.
  func send(_ connection: X11Connection, replacing old: DeviceMatrix) {
    if calibration != old.calibration, let calibration {
      send(connection, connection.atoms.calibration, calibration)
    }
    if wacomRotation != old.wacomRotation {
      connection.set(connection.atoms.wacomRotation, to: wacomRotation, of: device.id)
    }
    if !matrix.isClose(to: old.matrix) {
      send(connection, connection.atoms.coordinateTransformationMatrix, matrix)
    }
  }

  private func send(_ connection: X11Connection, _ property: xcb_atom_t, _ matrix: ProjectiveTransform) {
    xcb_input_xi_change_property(
      connection.handle, device.id, UInt8(XCB_PROP_MODE_REPLACE.rawValue), 32, property,
      connection.atoms.float, UInt32(matrix.elements.count), matrix.elements.map(Float.init))
  }
}

/// The properties of one device, on their way.
struct DeviceMatrixRequest {
  private let device: PanelDevice
  private let matrix: xcb_input_xi_get_property_cookie_t
  private let calibration: xcb_input_xi_get_property_cookie_t
  private let wacomRotation: xcb_input_xi_get_property_cookie_t

  init(_ connection: X11Connection, _ device: PanelDevice) {
    self.device = device
    matrix = Self.ask(connection, device, connection.atoms.coordinateTransformationMatrix)
    calibration = Self.ask(connection, device, connection.atoms.calibration)
    wacomRotation = Self.ask(connection, device, connection.atoms.wacomRotation)
  }

  /// `nil` if the device has no matrix, or has vanished.
  func collect(_ connection: X11Connection) -> DeviceMatrix? {
    let matrix = Self.matrix(connection, matrix)
    let calibration = Self.matrix(connection, calibration)
    let rotation = try? connection.reply(wacomRotation, xcb_input_xi_get_property_reply) { reply in
      reply.pointee.format == 8 ? bytes(of: reply)?.load(as: UInt8.self) : nil
    }
    return matrix.map {
      DeviceMatrix(device: device, matrix: $0, calibration: calibration, wacomRotation: rotation ?? 0)
    }
  }

  /// Any type of property, its first nine words.
  private static func ask(
    _ connection: X11Connection, _ device: PanelDevice, _ property: xcb_atom_t
  ) -> xcb_input_xi_get_property_cookie_t {
    xcb_input_xi_get_property(connection.handle, device.id, 0, property, 0, 0, 9)
  }

  private static func matrix(
    _ connection: X11Connection, _ cookie: xcb_input_xi_get_property_cookie_t
  ) -> ProjectiveTransform? {
    let floats = try? connection.reply(cookie, xcb_input_xi_get_property_reply) { reply -> [Double] in
      guard reply.pointee.format == 32, reply.pointee.type == connection.atoms.float,
        reply.pointee.num_items == 9, let bytes = bytes(of: reply)
      else { return [] }
      return (0..<9).map { Double(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self)) }
    }
    guard let floats, !floats.isEmpty else { return nil }
    // A device that others have given such numbers has a matrix all the same, to be mended.
    return ProjectiveTransform(floats) ?? .nowhere
  }
}

/// The value of a device property.
private func bytes(
  of reply: UnsafeMutablePointer<xcb_input_xi_get_property_reply_t>
) -> UnsafeRawPointer? {
  reply.pointee.num_items > 0 ? UnsafeRawPointer(xcb_input_xi_get_property_items(reply)) : nil
}
