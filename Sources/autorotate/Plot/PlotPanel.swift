// SPDX-License-Identifier: MIT

/// One number over time, in a frame with its scale.
struct PlotPanel {
  let name: String
  /// Pixels.
  let top: Double
  let bottom: Double
  let range: ClosedRange<Double>
  let ticks: [(value: Double, name: String)]
  /// Values of further lines, without a name.
  let lightTicks: [Double]
  /// Whether what leaves at the top comes in again at the bottom.
  var wraps = false
  let color: String
  let course: (PlotBins.Bin) -> PlotBins.Course?

  private func y(_ value: Double) -> Double {
    let inside = min(max(value, range.lowerBound), range.upperBound)
    return bottom - (bottom - top) * (inside - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  func drawFrame(in drawing: inout SVG, _ time: PlotAxis) {
    drawing.rectangle(
      x: PlotAxis.left, y: top, width: PlotAxis.right - PlotAxis.left, height: bottom - top,
      classes: "panel", tooltip: nil)
    for value in lightTicks {
      drawing.line(PlotAxis.left, y(value), PlotAxis.right, y(value), classes: "faint")
    }
    for tick in ticks {
      drawing.line(PlotAxis.left, y(tick.value), PlotAxis.right, y(tick.value), classes: "grid")
      drawing.text(tick.name, x: PlotAxis.left - 8, y: y(tick.value) + 4, classes: "end")
    }
    drawing.verticalText(name, x: 14, y: (top + bottom) / 2)
  }

  /// Up to four points for each bin.
  func drawCourse(of bins: [PlotBins.Bin], in drawing: inout SVG, _ time: PlotAxis) {
    var line = PlotLine(wrapping: wraps ? range : nil)
    // In seconds; longer than the bins are apart.
    let longestGap = max(Comparison.longestGap, 4 * (bins.last?.end ?? 0) / Double(PlotBins.maximum))
    for bin in bins {
      guard let course = course(bin) else {
        line.lift()
        continue
      }
      if bin.begin - line.latest > longestGap { line.lift() }
      let middle = (bin.begin + bin.end) / 2
      line.draw(to: course.first, at: bin.begin)
      if course.low < min(course.first, course.last) { line.draw(to: course.low, at: middle) }
      if course.high > max(course.first, course.last) { line.draw(to: course.high, at: middle) }
      if bin.end > bin.begin { line.draw(to: course.last, at: bin.end) }
    }
    drawing.strokes(line.strokes.map { $0.map { (time.x($0.time), y($0.value)) } }, color: color)
  }
}
