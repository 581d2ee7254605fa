// SPDX-License-Identifier: MIT

import Glibc

/// A small drawing of plain shapes, the first at the bottom: as SVG for icon themes, and as pixels for trays
/// that have no icon theme with it. Its square is 24 units wide; x goes right, y down, angles clockwise.
struct Picture {
  static let side = 24.0

  struct Point: Equatable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  enum Shape {
    /// Turned about its centre, by degrees.
    case tablet(centre: Point, width: Double, height: Double, radius: Double, degrees: Double)
    /// A round line with round ends, from one angle to a greater one in degrees; 0 points right.
    case arc(centre: Point, radius: Double, from: Double, to: Double)
    case line(Point, Point)
    /// Its corners clockwise.
    case triangle(Point, Point, Point)
  }

  enum Paint {
    case filled
    /// Units of width.
    case stroked(Double)
  }

  /// 0xRRGGBB
  typealias Colour = UInt32

  struct Part {
    let shape: Shape
    let paint: Paint
    let colour: Colour

    init(_ shape: Shape, _ paint: Paint, _ colour: Colour) {
      self.shape = shape
      self.paint = paint
      self.colour = colour
    }
  }

  let parts: [Part]
}

// MARK: - Pixels

extension Picture {
  /// Rows from the top, each pixel as alpha, red, green, blue, not premultiplied.
  func pixels(side count: Int) -> [UInt8] {
    let unit = Self.side / Double(count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * count * 4)
    for row in 0..<count {
      for column in 0..<count {
        bytes += colour(at: Point((Double(column) + 0.5) * unit, (Double(row) + 0.5) * unit), unit: unit)
      }
    }
    return bytes
  }

  private func colour(at point: Point, unit: Double) -> [UInt8] {
    var alpha = 0.0
    var mix = [0.0, 0.0, 0.0]
    for part in parts {
      // How much of the pixel's square the part covers, to a good approximation.
      let cover = min(1, max(0, 0.5 - part.distance(to: point) / unit))
      guard cover > 0 else { continue }
      let sum = cover + alpha * (1 - cover)
      mix = zip(mix, part.channels).map { below, own in
        (own * cover + below * alpha * (1 - cover)) / sum
      }
      alpha = sum
    }
    return ([alpha * 255] + mix).map { UInt8($0.rounded()) }
  }
}

extension Picture.Part {
  fileprivate var channels: [Double] {
    [16, 8, 0].map { Double(colour >> $0 & 0xFF) }
  }

  /// Units from the point to the painted area; less than 0 within it.
  fileprivate func distance(to point: Picture.Point) -> Double {
    switch paint {
    case .filled: shape.distance(to: point)
    case .stroked(let width): abs(shape.distance(to: point)) - width / 2
    }
  }
}

extension Picture.Shape {
  /// Of a closed shape less than 0 within it.
  fileprivate func distance(to point: Picture.Point) -> Double {
    switch self {
    case .tablet(let centre, let width, let height, let radius, let degrees):
      let local = (point - centre).turned(-degrees)
      let over = Picture.Point(abs(local.x) - width / 2 + radius, abs(local.y) - height / 2 + radius)
      return Picture.Point(max(over.x, 0), max(over.y, 0)).length + min(max(over.x, over.y), 0) - radius
    case .arc(let centre, let radius, let from, let to):
      let local = point - centre
      let angle = (local.degrees - from).truncatingRemainder(dividingBy: 360)
      if (angle < 0 ? angle + 360 : angle) <= to - from { return abs(local.length - radius) }
      return [from, to].map { (local - .at($0, radius)).length }.min() ?? 0
    case .line(let start, let end):
      let (way, local) = (end - start, point - start)
      let along = (local.x * way.x + local.y * way.y) / (way.x * way.x + way.y * way.y)
      return (local - Picture.Point(way.x, way.y) * min(1, max(0, along))).length
    case .triangle(let a, let b, let c):
      return zip([a, b, c], [b, c, a]).map { start, end in
        let (way, local) = (end - start, point - start)
        return (way.y * local.x - way.x * local.y) / way.length
      }.max() ?? 0
    }
  }
}

extension Picture.Point {
  static func - (a: Self, b: Self) -> Self { Self(a.x - b.x, a.y - b.y) }
  static func + (a: Self, b: Self) -> Self { Self(a.x + b.x, a.y + b.y) }
  static func * (a: Self, factor: Double) -> Self { Self(a.x * factor, a.y * factor) }

  static func at(_ degrees: Double, _ radius: Double) -> Self {
    Self(radius, 0).turned(degrees)
  }

  var length: Double { (x * x + y * y).squareRoot() }
  var degrees: Double { atan2(y, x) * 180 / .pi }

  func turned(_ degrees: Double) -> Self {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return Self(x * cosine - y * sine, x * sine + y * cosine)
  }
}
