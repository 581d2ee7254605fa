// SPDX-License-Identifier: MIT

import CXCB

/// A touchscreen or pen with the properties that map its coordinates to the screen.
struct DeviceMatrix {
  var device: PanelDevice
  /// Its Coordinate Transformation Matrix.
  var matrix: ProjectiveTransform
  /// autorotate's property; `nil` before its first write.
  var calibration: ProjectiveTransform?
  /// The rotation that Xorg's wacom driver applies before the matrix, 0 for none. Our matrix contains the whole
  /// rotation, so a value that another program left there is reset.
  var wacomRotation: UInt8

  /// Sends the properties that differ from `old`, without waiting.
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

extension X11Connection {
  /// Requests the properties of one device.
  /// - Parameter matrixOnly: whether to read the matrix alone. A server sends each reply to a local client in a write
  ///   of its own, and each may wake the process.
  /// - Returns: a function that receives the reply: `nil` if the device has no matrix, or was removed.
  func requestMatrix(of device: PanelDevice, matrixOnly: Bool = false) -> () -> DeviceMatrix? {
    let request = { X11Property(of: device.id, self, $0, type: self.atoms[.float], words: 9) }
    let matrix = request(.coordinateTransformationMatrix)
    let calibration = matrixOnly ? nil : request(.calibration)
    let wacomRotation = matrixOnly ? nil : X11Property(of: device.id, self, .wacomRotation)
    return {
      let found = matrix.floats().flatMap(Self.matrix)
      let kept = calibration?.floats().flatMap(Self.matrix)
      let rotation = wacomRotation?.bytes()?.first
      return found.map {
        DeviceMatrix(device: device, matrix: $0, calibration: kept, wacomRotation: rotation ?? 0)
      }
    }
  }

  /// A matrix with NaN or infinite values is read as `.invalid`, so that it is corrected.
  private static func matrix(_ floats: [Float]) -> ProjectiveTransform? {
    floats.count == 9 ? ProjectiveTransform(floats.map { Double($0) }) ?? .invalid : nil
  }
}

/// The calibration part of a device's matrix: the correction that was set before autorotate started, by the X server's
/// configuration or a calibration program. It is stored in a property of the device, so that a restarted daemon finds
/// it and does not mistake its own matrix for a calibration.
struct DeviceCalibration: Equatable {
  var matrix: ProjectiveTransform
  /// Whether another program has set the matrix since our last write.
  var wasChangedByOthers: Bool

  /// - Parameters:
  ///   - found: the matrix on the device.
  ///   - kept: the calibration in our property, if there is one.
  ///   - written: the matrix that this process wrote last, if any.
  ///   - place: where the panel is now.
  init(
    found: ProjectiveTransform, kept: ProjectiveTransform?, written: ProjectiveTransform?, place: PanelPlace
  ) {
    guard let kept, Self.isPlausible(kept) else {
      matrix = Self.isPlausible(found) ? Self.calibration(in: found, at: place) : .identity
      wasChangedByOthers = false
      return
    }
    wasChangedByOthers = written.map { !$0.isClose(to: found) } ?? false
    // A pure mapping to an output contains no calibration.
    let isCalibration = wasChangedByOthers && Self.isPlausible(found) && !TouchMatrix.isMapping(found)
    matrix = isCalibration ? Self.calibration(in: found, at: place) : kept
  }

  /// Whether a matrix can be a measured calibration: affine, invertible, and of moderate scale and offset.
  static func isPlausible(_ matrix: ProjectiveTransform) -> Bool {
    let e = matrix.elements
    // The worst known firmware uses another device's units, off by a factor of about five.
    let plausible = -10.0...10.0
    let area = abs(e[0] * e[4] - e[1] * e[3])
    return matrix.isAffine && e.allSatisfy(plausible.contains) && area > 0.01
  }

  /// A matrix that only follows the panel, set by another tool, is no calibration. One that is close to that also
  /// contains the calibration, as the matrix of autorotate does.
  private static func calibration(
    in found: ProjectiveTransform, at place: PanelPlace
  ) -> ProjectiveTransform {
    let follows =
      found.isClose(to: TouchMatrix.mapping(to: place))
      || found.isClose(to: TouchMatrix.rotation(place.randrRotation))
    if follows { return .identity }
    let rest = TouchMatrix.mapping(to: place).inverse.map { $0 * found }
    return rest.flatMap { $0.isClose(to: .identity, tolerance: 0.1) ? $0 : nil } ?? found
  }
}
