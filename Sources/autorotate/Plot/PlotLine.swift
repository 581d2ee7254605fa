// SPDX-License-Identifier: MIT

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
