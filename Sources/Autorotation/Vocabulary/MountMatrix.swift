// SPDX-License-Identifier: MIT

/// Maps a sensor's own axes to the panel's: the kernel's mount matrix, three rows of three.
package struct MountMatrix: Equatable, Sendable {
  /// Row by row.
  package let elements: [Double]

  package static let identity = Self(unchecked: [1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// `nil` unless these are nine finite numbers that make a regular matrix. (A singular one maps two device
  /// orientations to the same values.)
  package init?(_ elements: [Double]) {
    guard elements.count == 9, elements.allSatisfy(\.isFinite) else { return nil }
    self.elements = elements
    guard abs(determinant) > 1e-6, determinant.isFinite else { return nil }
  }

  /// The format of the kernel and of udev's hwdb: "1, 0, 0; 0, -1, 0; 0, 0, 1", with or without a final ";".
  package init?(text: String) {
    guard let numbers = Self.numbers(text) else { return nil }
    self.init(numbers)
  }

  /// The same, but a last row that lies in the plane of the others is replaced by their cross product: only x and y
  /// decide the screen orientation. A row of zeros is refused, as iio-sensor-proxy does.
  package init?(replacingLastRowOf text: String) {
    guard let m = Self.numbers(text), m.count == 9, m.allSatisfy(\.isFinite),
      m[6...].contains(where: { $0 != 0 })
    else { return nil }
    let normal = Vector(m[..<3]).cross(Vector(m[3..<6]))
    self.init(Array(m[..<6]) + [normal.x, normal.y, normal.z])
  }

  private static func numbers(_ text: String) -> [Double]? {
    var rows = text.split(separator: ";", omittingEmptySubsequences: false)
    if rows.count == 4, rows[3].allSatisfy(\.isWhitespace) { rows.removeLast() }
    let cells = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    guard cells.count == 3, cells.allSatisfy({ $0.count == 3 }) else { return nil }
    return cells.joined().compactMap(number)
  }

  /// Exactly one number: "1 0" is refused.
  private static func number(_ cell: Substring) -> Double? {
    let words = cell.split(whereSeparator: \.isWhitespace)
    return words.count == 1 ? Double(words[0]) : nil
  }

  private init(unchecked elements: [Double]) {
    self.elements = elements
  }

  /// The row for x, y or z of the panel: 0, 1, 2.
  private func row(_ index: Int) -> Vector { Vector(elements[3 * index..<3 * index + 3]) }

  package func callAsFunction(_ a: Acceleration) -> Acceleration {
    Acceleration(x: row(0).dot(a), y: row(1).dot(a), z: row(2).dot(a))
  }

  /// A rate is mapped as an acceleration is; a mirroring matrix reverses the sense of rotation.
  package func callAsFunction(rate: AngularRate) -> AngularRate { determinant < 0 ? -self(rate) : self(rate) }

  /// An axis of the panel or of the sensor.
  package enum Axis: Int, Sendable {
    case x, y, z
  }

  /// The sensor axis that lies along this axis of the panel, and the factor of its values; `nil` if several contribute.
  package func source(of axis: Axis) -> (axis: Axis, factor: Double)? {
    let row = elements[3 * axis.rawValue..<3 * axis.rawValue + 3]
    guard row.count(where: { $0 != 0 }) == 1, let index = row.firstIndex(where: { $0 != 0 }),
      let source = Axis(rawValue: index - row.startIndex)
    else { return nil }
    return (source, row[index])
  }

  /// Negative for a mirroring matrix.
  package var determinant: Double { row(0).dot(row(1).cross(row(2))) }

  /// Converts a matrix that maps a sensor to the casing into one that maps it to a panel with this mount in the casing.
  package func inFrame(ofPanelMounted mount: PanelMount) -> Self {
    (0..<mount.rawValue).reduce(self) { matrix, _ in
      let m = matrix.elements
      return Self(unchecked: m[3..<6].map { -$0 } + m[0..<3] + m[6..<9])
    }
  }

  /// In the format of the kernel and udev's hwdb: "1, 0, 0; 0, -1, 0; 0, 0, 1".
  package var text: String {
    let cells = elements.map { Int(exactly: $0).map { "\($0)" } ?? "\($0)" }
    return [0, 3, 6].map { cells[$0..<$0 + 3].joined(separator: ", ") }.joined(separator: "; ")
  }
}
