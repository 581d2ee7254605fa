// SPDX-License-Identifier: MIT

import Autorotation

/// Writes a drawing as SVG text.
struct SVG {
  private let width: Int
  private let height: Int
  private var body = ""

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  var document: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
    <style>
    \(Self.style)
    </style>
    <rect width="\(width)" height="\(height)" fill="#ffffff"/>
    \(body)</svg>

    """
  }

  private static let style = """
    text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: #333333; }
    .title { font-size: 15px; font-weight: bold; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .light { fill: #777777; }
    .panel { fill: #fbfbf8; stroke: #bbbbbb; }
    .grid { stroke: #d5d5d0; }
    .faint { stroke: #dededa; stroke-dasharray: 2 4; }
    .axis { stroke: #777777; }
    .turn { stroke: #444444; stroke-dasharray: 1 3; }
    .curve { fill: none; stroke-width: 1.3; stroke-linejoin: round; stroke-linecap: round; }
    .normal { fill: #b9d9b4; }
    .left { fill: #a9cbe8; }
    .inverted { fill: #f1d08f; }
    .right { fill: #dcb6dc; }
    .unknown { fill: #e4e4e4; }
    .differ { fill: #d62f2f; }
    """

  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, classes: String, tooltip: String? = nil
  ) {
    body += "<line x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\" class=\"\(classes)\""
    close("line", tooltip)
  }

  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, classes: String, tooltip: String?
  ) {
    body += "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(width))\" height=\"\(n(height))\""
    body += " class=\"\(classes)\""
    close("rect", tooltip)
  }

  private mutating func close(_ element: String, _ tooltip: String?) {
    guard let tooltip else { return body += "/>\n" }
    body += "><title>\(Self.escaped(tooltip))</title></\(element)>\n"
  }

  mutating func text(_ text: String, x: Double, y: Double, classes: String) {
    body += "<text x=\"\(n(x))\" y=\"\(n(y))\" class=\"\(classes)\">\(Self.escaped(text))</text>\n"
  }

  /// Reads from below; centred at y.
  mutating func verticalText(_ text: String, x: Double, y: Double) {
    body += "<text transform=\"translate(\(n(x)) \(n(y))) rotate(-90)\" class=\"middle\">"
    body += "\(Self.escaped(text))</text>\n"
  }

  mutating func strokes(_ strokes: [[(x: Double, y: Double)]], color: String) {
    let paths = strokes.map { points in
      // A single point is a stroke of no length, so that it can be seen.
      let visible = points.count == 1 ? points + points : points
      return "M" + visible.map { "\(n($0.x)) \(n($0.y))" }.joined(separator: " ")
    }
    body += "<path class=\"curve\" stroke=\"\(color)\" d=\"\(paths.joined(separator: "\n"))\"/>\n"
  }

  /// A tenth of a pixel is enough.
  private func n(_ value: Double) -> String {
    let text = value.text(decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Control characters have no place in XML.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
