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
      send(connection, connection.atoms[.calibration], calibration)
    }
    if wacomRotation != old.wacomRotation {
      connection.set(connection.atoms[.wacomRotation], to: wacomRotation, of: device.id)
    }
    if !matrix.isClose(to: old.matrix) {
      send(connection, connection.atoms[.coordinateTransformationMatrix], matrix)
    }
  }

  private func send(_ connection: X11Connection, _ property: xcb_atom_t, _ matrix: ProjectiveTransform) {
    xcb_input_xi_change_property(
      connection.handle, device.id, UInt8(XCB_PROP_MODE_REPLACE.rawValue), 32, property,
      connection.atoms[.float], UInt32(matrix.elements.count), matrix.elements.map(Float.init))
  }
}

/// The properties of one device, on their way.
struct DeviceMatrixRequest {
  private let device: PanelDevice
  private let matrix: DeviceProperty
  private let calibration: DeviceProperty?
  private let wacomRotation: DeviceProperty?

  /// - Parameter matrixOnly: whether nothing else is wanted to know. To a client on its own machine the server sends each
  ///   answer by itself, in pieces, and each may wake us up.
  init(_ connection: X11Connection, _ device: PanelDevice, matrixOnly: Bool = false) {
    self.device = device
    let ask = { DeviceProperty(connection, device.id, $0, words: 9) }
    matrix = ask(connection.atoms[.coordinateTransformationMatrix])
    calibration = matrixOnly ? nil : ask(connection.atoms[.calibration])
    wacomRotation = matrixOnly ? nil : ask(connection.atoms[.wacomRotation])
  }

  /// `nil` if the device has no matrix, or has vanished.
  func collect(_ connection: X11Connection) -> DeviceMatrix? {
    let matrix = matrix.floats(connection).flatMap(Self.matrix)
    let calibration = calibration?.floats(connection).flatMap(Self.matrix)
    let rotation = wacomRotation?.bytes(connection)?.first
    return matrix.map {
      DeviceMatrix(device: device, matrix: $0, calibration: calibration, wacomRotation: rotation ?? 0)
    }
  }

  /// A device that others have given numbers that are none has a matrix all the same, to be mended.
  private static func matrix(_ floats: [Double]) -> ProjectiveTransform? {
    floats.count == 9 ? ProjectiveTransform(floats) ?? .nowhere : nil
  }
}

/// A device's own part of its matrix: the correction that was there before we came, from the X server's
/// configuration or a calibration program. It is kept in a property of the device itself, so that a
/// daemon that is started again finds it there and never takes its own work for a calibration.
struct DeviceCalibration: Equatable {
  var matrix: ProjectiveTransform
  /// Whether the matrix that was found came from somebody else since we last wrote one.
  var wasChangedByOthers: Bool

  /// - Parameters:
  ///   - found: the matrix on the device.
  ///   - kept: the calibration in our property, if there is one.
  ///   - written: what we last wrote, if this process did.
  ///   - place: where the panel is now.
  init(
    found: ProjectiveTransform, kept: ProjectiveTransform?, written: ProjectiveTransform?, place: PanelPlace
  ) {
    guard let kept, Self.canBe(kept) else {
      matrix = Self.canBe(found) ? Self.calibration(in: found, at: place) : .identity
      wasChangedByOthers = false
      return
    }
    wasChangedByOthers = written.map { !$0.isClose(to: found) } ?? false
    // A tool that maps the device to an output says nothing of the device itself.
    let isNews = wasChangedByOthers && Self.canBe(found) && !TouchMatrix.isMapping(found)
    matrix = isNews ? found : kept
  }

  /// Whether a matrix can be what somebody measured: it takes the panel to something like the panel, straight
  /// lines to straight lines at equal steps, and no two places to one.
  private static func canBe(_ matrix: ProjectiveTransform) -> Bool {
    let e = matrix.elements
    // The worst that firmware does is to count its sides in another device's units, some five times off.
    let plausible = -10.0...10.0
    let area = abs(e[0] * e[4] - e[1] * e[3])
    return matrix.isAffine && e.allSatisfy(plausible.contains) && area > 0.01
  }

  /// At first sight: what others may have done to follow the panel is not part of the device.
  private static func calibration(
    in found: ProjectiveTransform, at place: PanelPlace
  ) -> ProjectiveTransform {
    let follows =
      found.isClose(to: TouchMatrix.mapping(to: place))
      || found.isClose(to: TouchMatrix.rotation(place.randrRotation))
    return follows ? .identity : found
  }
}
