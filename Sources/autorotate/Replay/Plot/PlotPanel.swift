// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

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
  /// Whether the line goes on where there is no value for less than a second.
  var bridges = false
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
        if !bridges { line.lift() }
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

/// The axis of time below all panels.
struct PlotAxis {
  static let left = 130.0
  static let right = 1180.0

  /// Seconds.
  private let end: Double
  /// Pixels.
  private let top: Double

  init(time end: Double, top: Double) {
    self.end = end
    self.top = top
  }

  func x(_ seconds: Double) -> Double {
    Self.left + (Self.right - Self.left) * seconds / end
  }

  func draw(in drawing: inout SVG) {
    let step = Self.roundNumber(atLeast: end / 14)
    let decimals = max(0, Int(-log10(step).rounded(.down)))
    for number in 0...Int(end / step) {
      let seconds = Double(number) * step
      drawing.line(x(seconds), top, x(seconds), top + 5, classes: "axis")
      drawing.text(seconds.text(decimals: decimals), x: x(seconds), y: top + 20, classes: "middle")
    }
    drawing.line(Self.left, top, Self.right, top, classes: "axis")
    drawing.text("time, s", x: (Self.left + Self.right) / 2, y: top + 42, classes: "middle")
    drawing.text(
      "Dotted: a turn of the picture, with its reasons to point at. The angle is not drawn while flat.",
      x: Self.left, y: top + 64, classes: "light")
  }

  /// 1, 2 or 5 times a power of ten.
  static func roundNumber(atLeast value: Double) -> Double {
    let power = pow(10, log10(value).rounded(.down))
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? 10 * power
  }
}

/// A pen that draws a number over time, and knows how to leave the paper at the top and to come in again at
/// the bottom.
struct PlotLine {
  typealias Point = (time: Double, value: Double)

  private(set) var strokes: [[Point]] = []
  /// The time of the last point.
  private(set) var latest = -Double.infinity

  private let range: ClosedRange<Double>?
  private var isDown = false
  private var value = 0.0

  /// - Parameter range: in which values are drawn, turn by turn; `nil` for as they are.
  init(wrapping range: ClosedRange<Double>?) {
    self.range = range
  }

  /// The next point begins a stroke.
  mutating func lift() {
    isDown = false
  }

  mutating func draw(to value: Double, at time: Double) {
    if isDown { cross(to: value, at: time) } else { strokes.append([]) }
    put(time, value - Double(turn(of: value)) * span)
    isDown = true
    self.value = value
    latest = time
  }

  private var span: Double { range.map { $0.upperBound - $0.lowerBound } ?? 0 }

  private func turn(of value: Double) -> Int {
    guard let range else { return 0 }
    return Int(((value - range.lowerBound) / span).rounded(.down))
  }

  private mutating func put(_ time: Double, _ value: Double) {
    strokes[strokes.count - 1].append((time, value))
  }

  /// Leaves at one edge and begins anew at the other. Of several revolutions between two points one is enough.
  private mutating func cross(to value: Double, at time: Double) {
    guard let range, case let turns = turn(of: value) - turn(of: self.value), turns != 0 else { return }
    let edge = Double(turn(of: turns > 0 ? value : self.value)) * span + range.lowerBound
    let part = min(max((edge - self.value) / (value - self.value), 0), 1)
    let then = latest + part * (time - latest)
    put(then, turns > 0 ? range.upperBound : range.lowerBound)
    strokes.append([(then, turns > 0 ? range.lowerBound : range.upperBound)])
  }
}
