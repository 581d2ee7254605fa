// SPDX-License-Identifier: MIT

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
