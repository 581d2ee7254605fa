// SPDX-License-Identifier: MIT

extension Picture {
  /// A whole file, with a newline at its end.
  var svg: String {
    let side = Int(Self.side)
    let lines = parts.map { "  <\($0.shape.element) \($0.attributes)/>\n" }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- SPDX-License-Identifier: MIT -->
      <svg xmlns="http://www.w3.org/2000/svg" width="\(side)" height="\(side)" viewBox="0 0 \(side) \(side)">
      \(lines)</svg>

      """
  }
}

extension Picture.Part {
  fileprivate var attributes: String {
    let digits = String(colour, radix: 16)
    let hex = "#" + String(repeating: "0", count: 6 - digits.count) + digits
    switch paint {
    case .filled: return "fill=\"\(hex)\""
    case .stroked(let width):
      return "fill=\"none\" stroke=\"\(hex)\" stroke-width=\"\(width.short)\" stroke-linecap=\"round\""
    }
  }
}

extension Picture.Shape {
  fileprivate var element: String {
    switch self {
    case .tablet(let centre, let width, let height, let radius, let degrees):
      let place = "x=\"\((centre.x - width / 2).short)\" y=\"\((centre.y - height / 2).short)\""
      let turn =
        degrees == 0 ? "" : " transform=\"rotate(\(degrees.short) \(centre.x.short) \(centre.y.short))\""
      return
        "rect \(place) width=\"\(width.short)\" height=\"\(height.short)\" rx=\"\(radius.short)\"\(turn)"
    case .arc(let centre, let radius, let from, let to):
      let (start, end) = (centre + .at(from, radius), centre + .at(to, radius))
      let isLarge = to - from > 180 ? 1 : 0
      return "path d=\"M\(start.short) A\(radius.short) \(radius.short) 0 \(isLarge) 1 \(end.short)\""
    case .line(let start, let end): return "path d=\"M\(start.short) L\(end.short)\""
    case .triangle(let a, let b, let c): return "path d=\"M\(a.short) L\(b.short) L\(c.short) z\""
    }
  }
}

extension Picture.Point {
  fileprivate var short: String { "\(x.short) \(y.short)" }
}

extension Double {
  /// To a hundredth, without zeros that say nothing.
  fileprivate var short: String {
    let rounded = (self * 100).rounded() / 100
    return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
