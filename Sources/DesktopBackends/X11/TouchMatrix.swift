// SPDX-License-Identifier: MIT

import Autorotation

/// The part of the X screen that a panel shows, and its rotation.
struct PanelPlace: Equatable, Sendable {
  var rectangle: ScreenRectangle
  /// RandR's bits, reflection included.
  var randrRotation: UInt16
  /// The size of the X screen.
  var screen: PixelSize
}

/// The Coordinate Transformation Matrix of a touchscreen or stylus. It maps a position on the unrotated panel, 0…1
/// along each side, to the position on the whole X screen, 0…1 again.
enum TouchMatrix {
  /// - Parameter calibration: of the device itself, applied first.
  static func mapping(
    to place: PanelPlace, calibration: ProjectiveTransform = .identity
  ) -> ProjectiveTransform {
    geometry(place) * reflection(place.randrRotation) * rotation(place.randrRotation) * calibration
  }

  /// Maps the unit square to the panel's part of the screen.
  private static func geometry(_ place: PanelPlace) -> ProjectiveTransform {
    let (width, height) = (Double(max(1, place.screen.width)), Double(max(1, place.screen.height)))
    let panel = place.rectangle
    return ProjectiveTransform(
      rows: (Double(panel.width) / width, 0, Double(panel.x) / width),
      (0, Double(panel.height) / height, Double(panel.y) / height))
  }

  /// Rotates the unit square. `rotated90`: the top of the screen is at the panel's left edge, so a touch there is
  /// mapped to the top.
  static func rotation(_ randrRotation: UInt16) -> ProjectiveTransform {
    switch DisplayTransform(randrRotation: randrRotation) {
    case .rotated90: ProjectiveTransform(rows: (0, -1, 1), (1, 0, 0))
    case .rotated180: ProjectiveTransform(rows: (-1, 0, 1), (0, -1, 1))
    case .rotated270: ProjectiveTransform(rows: (0, 1, 0), (-1, 0, 1))
    case .some(.none), nil: .identity
    }
  }

  /// RandR's bits 16 and 32 reflect x and y.
  private static func reflection(_ randrRotation: UInt16) -> ProjectiveTransform {
    let mirrorsX = randrRotation & 16 != 0
    let mirrorsY = randrRotation & 32 != 0
    return ProjectiveTransform(
      rows: (mirrorsX ? -1 : 1, 0, mirrorsX ? 1 : 0), (0, mirrorsY ? -1 : 1, mirrorsY ? 1 : 0))
  }

  /// Whether a matrix only rotates the unit square and maps it to a part of the screen. Tools that map a touchscreen to
  /// an output write such a matrix; it contains no calibration.
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

/// A 3x3 matrix that maps a point (x, y, 1) to another, as in RandR's CRTC transforms and XInput's matrices.
struct ProjectiveTransform: Equatable, Sendable {
  /// Nine, row by row.
  let elements: [Double]

  static let identity = Self(rows: (1, 0, 0), (0, 1, 0))

  /// An affine transform; the last row is 0 0 1.
  init(rows first: (Double, Double, Double), _ second: (Double, Double, Double)) {
    elements = [first.0, first.1, first.2, second.0, second.1, second.2, 0, 0, 1]
  }

  /// `nil` unless there are nine finite numbers.
  init?(_ elements: [Double]) {
    guard elements.count == 9, elements.allSatisfy(\.isFinite) else { return nil }
    self.elements = elements
  }

  private init(unchecked elements: [Double]) {
    self.elements = elements
  }

  /// Applies `right` first, then `left`.
  static func * (left: Self, right: Self) -> Self {
    let (l, r) = (left.elements, right.elements)
    let cells = (0..<9).map { cell in
      let (row, column) = (cell / 3 * 3, cell % 3)
      return l[row] * r[column] + l[row + 1] * r[column + 3] + l[row + 2] * r[column + 6]
    }
    return Self(unchecked: cells)
  }

  /// The image of a point; `nil` if it is infinitely far away.
  func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double)? {
    let e = elements
    let w = e[6] * x + e[7] * y + e[8]
    guard abs(w) > 1e-9 else { return nil }
    return ((e[0] * x + e[1] * y + e[2]) / w, (e[3] * x + e[4] * y + e[5]) / w)
  }

  /// The size of a transformed rectangle's bounding box in whole pixels, rounded as in the X server.
  func boundingSize(width: Int, height: Int) -> PixelSize? {
    let corners = [(0, 0), (width, 0), (0, height), (width, height)]
    let points = corners.compactMap { self(x: Double($0.0), y: Double($0.1)) }
    guard points.count == corners.count,
      let width = Self.extent(points.map(\.x)), let height = Self.extent(points.map(\.y))
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Whether the last row is 0 0 1, within the precision of a 32-bit float.
  var isAffine: Bool {
    abs(elements[6]) < 1e-4 && abs(elements[7]) < 1e-4 && abs(elements[8] - 1) < 1e-4
  }

  /// `nil` unless it is affine and can be undone.
  var inverse: Self? {
    let e = elements
    let area = e[0] * e[4] - e[1] * e[3]
    guard isAffine, abs(area) > 1e-9 else { return nil }
    let (a, b, c, d) = (e[4] / area, -e[1] / area, -e[3] / area, e[0] / area)
    return Self(rows: (a, b, -a * e[2] - b * e[5]), (c, d, -c * e[2] - d * e[5]))
  }

  /// All zeros; used in place of a matrix with NaN or infinite values.
  static let invalid = Self(unchecked: [Double](repeating: 0, count: 9))

  /// - Parameter tolerance: of each element; the default is the precision of a 32-bit float.
  func isClose(to other: Self, tolerance: Double = 1e-4) -> Bool {
    zip(elements, other.elements).allSatisfy { abs($0 - $1) < tolerance }
  }

  private static func extent(_ values: [Double]) -> Int? {
    guard let least = values.min(), let most = values.max() else { return nil }
    return Int(exactly: most.rounded(.up) - least.rounded(.down))
  }
}
