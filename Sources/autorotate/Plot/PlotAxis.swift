// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The axis of time below all panels.
struct PlotAxis {
  static let left = 130.0
  static let right = 1180.0

  /// Seconds.
  private let end: Double

  init(time end: Double) {
    self.end = end
  }

  func x(_ seconds: Double) -> Double {
    Self.left + (Self.right - Self.left) * seconds / end
  }

  func draw(in drawing: inout SVG) {
    let step = Self.roundNumber(atLeast: end / 14)
    let decimals = max(0, Int(-log10(step).rounded(.down)))
    for number in 0...Int(end / step) {
      let seconds = Double(number) * step
      drawing.line(x(seconds), 524, x(seconds), 529, classes: "axis")
      drawing.text(seconds.text(decimals: decimals), x: x(seconds), y: 544, classes: "middle")
    }
    drawing.line(Self.left, 524, Self.right, 524, classes: "axis")
    drawing.text("time, s", x: (Self.left + Self.right) / 2, y: 566, classes: "middle")
    drawing.text(
      "Dotted: a turn of the picture, with its reasons to point at. The angle is not drawn while flat.",
      x: Self.left, y: 588, classes: "light")
  }

  /// 1, 2 or 5 times a power of ten.
  static func roundNumber(atLeast value: Double) -> Double {
    let power = pow(10, log10(value).rounded(.down))
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? 10 * power
  }
}
