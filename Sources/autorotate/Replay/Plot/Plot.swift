// SPDX-License-Identifier: MIT

import Autorotation

/// A drawing of a trace over time: the angles of gravity, |a|, what the judge and iio-sensor-proxy say, and
/// the picture that was decided on; and the rate of turning where there is a gyroscope. Self-contained SVG of
/// 1200 × 600, or somewhat higher.
struct Plot {
  let title: String
  var bins = PlotBins()
  var ours = PlotSpans()
  var theirs = PlotSpans()
  var picture = PlotSpans()
  /// Seconds from the first sample to the last.
  var end = 0.0

  init(title: String) {
    self.title = title
  }

  /// Degrees of tilt beyond which the angle in the plane of the screen is mostly noise.
  static let flatTilt = 75.0
  /// With more turns, the lines that mark them would hide what they mark.
  private static let mostMarks = 100

  var svg: String {
    var drawing = SVG(width: 1200, height: 600 + Int(shift))
    let time = PlotAxis(time: max(end, 0.001), top: 524 + shift)
    let panels = [anglePanel, tiltPanel, magnitudePanel] + (hasGyroscope ? [turningPanel] : [])
    drawing.text(title, x: 20, y: 28, classes: "title")
    legend(&drawing)
    for panel in panels { panel.drawFrame(in: &drawing, time) }
    let turns = self.turns
    if turns.count <= Self.mostMarks { turns.forEach { mark($0, in: &drawing, time) } }
    for panel in panels { panel.drawCourse(of: bins.bins, in: &drawing, time) }
    drawBands(in: &drawing, time)
    time.draw(in: &drawing)
    return drawing.document
  }

  private var hasGyroscope: Bool { bins.bins.contains { $0.turning != nil } }

  /// Pixels that the gyroscope's panel moves what is below it.
  private var shift: Double { hasGyroscope ? 88 : 0 }

  private var turns: [PlotSpans.Span] {
    zip(picture.spans, picture.spans.dropFirst()).filter { $0.word != $1.word }.map { $1 }
  }

  private var anglePanel: PlotPanel {
    PlotPanel(
      name: "angle in the screen's plane, °", top: 52, bottom: 232, range: -135...225,
      ticks: [(-90, "−90 right-up"), (0, "0 normal"), (90, "90 left-up"), (180, "180 bottom-up")],
      lightTicks: [-45, 45, 135], wraps: true, color: "#1f5fa8"
    ) { $0.angle }
  }

  private var tiltPanel: PlotPanel {
    PlotPanel(
      name: "tilt, °", top: 250, bottom: 340, range: -90...90,
      ticks: [(-90, "−90 face-down"), (0, "0 upright"), (90, "90 face-up")],
      lightTicks: [-63, 63], color: "#7a3f9d"
    ) { $0.tilt }
  }

  private var magnitudePanel: PlotPanel {
    let highest = bins.bins.map(\.magnitude.high).max() ?? 0
    let top = PlotAxis.roundNumber(atLeast: max(highest, 12))
    return PlotPanel(
      name: "|a|, m/s²", top: 358, bottom: 428, range: 0...top,
      ticks: [(0, "0"), (9.81, "9.81 = g")] + (top >= 15 ? [(top, top.text(decimals: 0))] : []),
      lightTicks: [], color: "#9a5b13"
    ) { $0.magnitude }
  }

  private var turningPanel: PlotPanel {
    let fastest = bins.bins.compactMap(\.turning).map { max(abs($0.low), abs($0.high)) }.max() ?? 0
    let top = PlotAxis.roundNumber(atLeast: max(fastest, 50))
    let name = top.text(decimals: 0)
    return PlotPanel(
      name: "turning, °/s", top: 446, bottom: 516, range: -top...top,
      ticks: [(-top, "−\(name)"), (0, "0"), (top, name)], lightTicks: [], bridges: true, color: "#2f7d4f"
    ) { $0.turning }
  }

  private func mark(_ turn: PlotSpans.Span, in drawing: inout SVG, _ time: PlotAxis) {
    let x = time.x(turn.begin)
    drawing.line(x, 52, x, 520 + shift, classes: "turn", tooltip: tooltip(turn))
  }

  private func tooltip(_ turn: PlotSpans.Span) -> String {
    "\(turn.begin.text(decimals: 2)) s: \(turn.word). \(turn.reason)"
  }

  // MARK: Bands

  private func drawBands(in drawing: inout SVG, _ time: PlotAxis) {
    drawBand(ours, name: "autorotate", top: 446 + shift, in: &drawing, time)
    drawDifferences(top: 466 + shift, in: &drawing, time)
    drawBand(theirs, name: "iio-sensor-proxy", top: 472 + shift, in: &drawing, time)
    drawBand(picture, name: "picture turned to", top: 500 + shift, in: &drawing, time)
  }

  private func drawBand(
    _ band: PlotSpans, name: String, top: Double, in drawing: inout SVG, _ time: PlotAxis
  ) {
    drawing.text(name, x: PlotAxis.left - 8, y: top + 14, classes: "end")
    for (index, span) in band.spans.enumerated() {
      let next = index + 1 < band.spans.count ? band.spans[index + 1].begin : end
      let (from, to) = (time.x(span.begin), time.x(next))
      drawing.rectangle(
        x: from, y: top, width: max(to - from, 0.5), height: 20, classes: Self.color(span.word),
        tooltip: tooltip(span))
      if to - from > Double(7 * span.word.count + 6) {
        drawing.text(span.word, x: (from + to) / 2, y: top + 14, classes: "middle")
      }
    }
  }

  /// Red between the two bands, where they differ.
  private func drawDifferences(top: Double, in drawing: inout SVG, _ time: PlotAxis) {
    let edges = (ours.spans + theirs.spans).map(\.begin).sorted() + [end]
    for (from, to) in zip(edges, edges.dropFirst()) where from < to {
      guard let our = word(in: ours, at: from), let their = word(in: theirs, at: from), our != their,
        ![our, their].contains("unknown")
      else { continue }
      let x = time.x(from)
      drawing.rectangle(
        x: x, y: top, width: max(time.x(to) - x, 0.5), height: 6, classes: "differ",
        tooltip: "\((to - from).text(decimals: 2)) s apart: \(our) and \(their)")
    }
  }

  private func word(in band: PlotSpans, at time: Double) -> String? {
    // The bands are short, and in order.
    band.spans.last { $0.begin <= time }?.word
  }

  // MARK: Colours

  private func legend(_ drawing: inout SVG) {
    let keys = [
      ("normal", "normal"), ("left", "left-up, left"), ("inverted", "bottom-up, inverted"),
      ("right", "right-up, right"), ("unknown", "unknown"), ("differ", "answers differ"),
    ]
    var x = 1180.0
    for (color, name) in keys.reversed() {
      x -= 6.2 * Double(name.count) + 32
      drawing.rectangle(x: x, y: 17, width: 14, height: 14, classes: color, tooltip: nil)
      drawing.text(name, x: x + 19, y: 28, classes: "")
    }
  }

  private static func color(_ word: String) -> String {
    switch word {
    case "left-up": "left"
    case "bottom-up": "inverted"
    case "right-up": "right"
    default: word
    }
  }
}
