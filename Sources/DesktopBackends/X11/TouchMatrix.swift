// SPDX-License-Identifier: MIT

import Autorotation

/// The part of the X screen that a panel shows, and how it is turned there.
struct PanelPlace: Equatable, Sendable {
  var rectangle: ScreenRectangle
  /// RandR's bits, reflection included.
  var randrRotation: UInt16
  var screenWidth: Int
  var screenHeight: Int
}

/// The Coordinate Transformation Matrix of a touchscreen or pen: it takes where the panel is touched,
/// 0…1 along its own unturned sides, to where that is on the whole X screen, 0…1 again.
enum TouchMatrix {
  /// Geometry · reflection · rotation · calibration, the last being the device's own.
  static func mapping(
    to place: PanelPlace, calibration: ProjectiveTransform = .identity
  ) -> ProjectiveTransform {
    geometry(place) * reflection(place.randrRotation) * rotation(place.randrRotation) * calibration
  }

  /// Moves the panel's own square to its part of the screen.
  private static func geometry(_ place: PanelPlace) -> ProjectiveTransform {
    let (width, height) = (Double(max(1, place.screenWidth)), Double(max(1, place.screenHeight)))
    let panel = place.rectangle
    return ProjectiveTransform(
      rows: (Double(panel.width) / width, 0, Double(panel.x) / width),
      (0, Double(panel.height) / height, Double(panel.y) / height))
  }

  /// Turns the panel's square onto itself. `turned90`: the picture's top is at the panel's left edge,
  /// so what is touched there is at the top.
  static func rotation(_ randrRotation: UInt16) -> ProjectiveTransform {
    switch DisplayTransform(randrRotation: randrRotation) {
    case .turned90: ProjectiveTransform(rows: (0, -1, 1), (1, 0, 0))
    case .turned180: ProjectiveTransform(rows: (-1, 0, 1), (0, -1, 1))
    case .turned270: ProjectiveTransform(rows: (0, 1, 0), (-1, 0, 1))
    case .some(.none), nil: .identity
    }
  }

  private static func reflection(_ randrRotation: UInt16) -> ProjectiveTransform {
    let mirrorsX = randrRotation & 16 != 0
    let mirrorsY = randrRotation & 32 != 0
    return ProjectiveTransform(
      rows: (mirrorsX ? -1 : 1, 0, mirrorsX ? 1 : 0), (0, mirrorsY ? -1 : 1, mirrorsY ? 1 : 0))
  }

  /// Whether a matrix only turns the panel's square and lays it on some part of the screen: what a tool
  /// writes that maps a touchscreen to an output, and no calibration.
  static func isMapping(_ matrix: ProjectiveTransform) -> Bool {
    let e = matrix.elements
    let tolerance = 1e-4
    guard matrix.isAffine else { return false }
    let keepsSides = abs(e[1]) < tolerance && abs(e[3]) < tolerance && e[0] * e[4] > 0
    let swapsSides = abs(e[0]) < tolerance && abs(e[4]) < tolerance && e[1] * e[3] < 0
    guard keepsSides || swapsSides else { return false }
    let inside = -tolerance...1 + tolerance
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].compactMap { matrix(x: $0.0, y: $0.1) }
    return corners.allSatisfy { inside.contains($0.x) && inside.contains($0.y) }
  }
}
