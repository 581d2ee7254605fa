// SPDX-License-Identifier: MIT

extension RotationState {
  /// The name in icon themes.
  var iconName: String { "org.autorotate.Autorotate-\(rawValue)" }

  /// Light with a dark edge, so that it is seen on dark and on light bars.
  var picture: Picture {
    switch self {
    case .auto: Picture(parts: Self.tablet(degrees: 30) + Self.arrow(from: -75) + Self.arrow(from: 105))
    case .locked: Picture(parts: Self.tablet() + Self.padlock)
    case .paused: Picture(parts: Self.tablet() + Self.bars)
    case .off: Picture(parts: Self.tablet(glass: 0xC0BFBC) + Self.stroke)
    }
  }

  private static let (edge, light, blue, gold, red):
    (
      Picture.Colour, Picture.Colour, Picture.Colour, Picture.Colour, Picture.Colour
    ) = (0x3D3846, 0xF6F5F4, 0x3584E4, 0xF5C211, 0xE01B24)

  private static func tablet(degrees: Double = 0, glass: Picture.Colour = light) -> [Picture.Part] {
    let isTilted = degrees != 0
    let shape = Picture.Shape.tablet(
      centre: .init(isTilted ? 12 : 10, 12), width: isTilted ? 9 : 13, height: isTilted ? 14 : 20,
      radius: 2, degrees: degrees)
    return [.init(shape, .filled, glass), .init(shape, .stroked(1.8), edge)]
  }

  /// Over a quarter of the way around, clockwise.
  private static func arrow(from start: Double) -> [Picture.Part] {
    let (centre, radius) = (Picture.Point(12, 12), 10.0)
    let end = start + 55
    let tip = centre + .at(end + 28, radius - 0.6)
    return [
      .init(.arc(centre: centre, radius: radius, from: start, to: end), .stroked(2.2), blue),
      .init(.triangle(centre + .at(end, radius - 3.4), centre + .at(end, radius + 2.4), tip), .filled, blue),
    ]
  }

  private static let padlock: [Picture.Part] = {
    let body = Picture.Shape.tablet(centre: .init(17, 18), width: 11, height: 8, radius: 1.5, degrees: 0)
    let shackle = Picture.Shape.arc(centre: .init(17, 12.5), radius: 3, from: 180, to: 360)
    let legs = [14.0, 20.0].map { Picture.Shape.line(.init($0, 12.5), .init($0, 15)) }
    let metal = [shackle] + legs
    return metal.map { .init($0, .stroked(4), edge) } + metal.map { .init($0, .stroked(1.6), light) }
      + [.init(body, .filled, gold), .init(body, .stroked(1.6), edge)]
  }()

  private static let bars: [Picture.Part] = {
    let bars = [14.5, 20.5].map { Picture.Shape.line(.init($0, 13.5), .init($0, 20.5)) }
    return bars.map { .init($0, .stroked(5.4), edge) } + bars.map { .init($0, .stroked(2.6), gold) }
  }()

  private static let stroke: [Picture.Part] = {
    let line = Picture.Shape.line(.init(3, 21), .init(21, 3))
    return [.init(line, .stroked(4.4), edge), .init(line, .stroked(2), red)]
  }()
}
