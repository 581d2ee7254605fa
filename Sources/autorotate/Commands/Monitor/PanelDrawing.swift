// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

/// The panel's outline with gravity in it as an arrow, in characters.
///
/// It is drawn as the picture stands now, so that the arrow points to the floor if the picture is upright for
/// whoever holds the device. The border names the device's own top edge.
struct PanelDrawing {
  /// The room it takes; a character is twice as high as wide.
  static let columns = 35
  static let rows = 13

  private let isUnicode: Bool
  private var cells: [[Character]]
  private let width: Int
  private let height: Int

  /// - Parameters:
  ///   - gravity: in the panel's frame, m/s².
  ///   - shown: which way up the picture stands.
  ///   - natural: which way the panel's natural picture lies.
  init(gravity: Acceleration?, shown: InterfaceOrientation, natural: PanelAspect, isUnicode: Bool) {
    self.isUnicode = isUnicode
    let isWide = (natural == .landscape) == (shown == .normal || shown == .inverted)
    // 16:10 both ways.
    (width, height) = isWide ? (35, 11) : (16, 13)
    cells = Array(repeating: Array(repeating: " ", count: width), count: height)
    drawBorder()
    drawTop(shown)
    if let gravity, gravity.isFinite { drawArrow(Self.seen(gravity, in: shown)) }
  }

  /// In the middle of its room, each line as wide as the room.
  var lines: [String] {
    let margin = String(repeating: " ", count: (Self.columns - width) / 2)
    let rest = String(repeating: " ", count: Self.columns - width - margin.count)
    let blank = String(repeating: " ", count: Self.columns)
    let above = (Self.rows - height) / 2
    let below = Self.rows - height - above
    return Array(repeating: blank, count: above) + cells.map { margin + String($0) + rest }
      + Array(repeating: blank, count: below)
  }

  /// Right and up in the picture, m/s².
  static func seen(_ a: Acceleration, in shown: InterfaceOrientation) -> (right: Double, up: Double) {
    switch shown {
    case .normal: (a.x, a.y)
    case .left: (a.y, -a.x)
    case .inverted: (-a.x, -a.y)
    case .right: (-a.y, a.x)
    }
  }

  private mutating func drawBorder() {
    let border = Array(isUnicode ? "┌┐└┘─│" : "++++-|")
    for column in cells[0].indices {
      cells[0][column] = border[4]
      cells[height - 1][column] = border[4]
    }
    for row in cells.indices {
      cells[row][0] = border[5]
      cells[row][width - 1] = border[5]
    }
    (cells[0][0], cells[0][width - 1]) = (border[0], border[1])
    (cells[height - 1][0], cells[height - 1][width - 1]) = (border[2], border[3])
  }

  private mutating func drawTop(_ shown: InterfaceOrientation) {
    switch shown {
    case .normal: drawTop(inRow: 0)
    case .inverted: drawTop(inRow: height - 1)
    case .left: drawTop(inColumn: width - 1)
    case .right: drawTop(inColumn: 0)
    }
  }

  private mutating func drawTop(inRow row: Int) {
    for (offset, letter) in " top ".enumerated() { cells[row][width / 2 - 2 + offset] = letter }
  }

  private mutating func drawTop(inColumn column: Int) {
    for (offset, letter) in "top".enumerated() { cells[height / 2 - 1 + offset][column] = letter }
  }

  private mutating func drawArrow(_ gravity: (right: Double, up: Double)) {
    let middle = (row: height / 2, column: width / 2)
    let reach = Double(min(height / 2 - 1, (width / 2 - 1) / 2)) / 9.81
    let rows = Self.bounded(-gravity.up * reach, height / 2 - 1)
    let columns = Self.bounded(gravity.right * reach * 2, width / 2 - 1)
    cells[middle.row][middle.column] = "o"
    let steps = max(abs(rows), abs(columns))
    guard steps > 0 else { return }
    for step in 1...steps {
      let row = middle.row + (rows * step * 2 + (rows < 0 ? -steps : steps)) / (steps * 2)
      let column = middle.column + (columns * step * 2 + (columns < 0 ? -steps : steps)) / (steps * 2)
      cells[row][column] = step == steps ? head(gravity) : (isUnicode ? "•" : "*")
    }
  }

  private func head(_ gravity: (right: Double, up: Double)) -> Character {
    let heads = Array(isUnicode ? "→↗↑↖←↙↓↘" : ">/^\\</v\\")
    let eighths = Int((atan2(gravity.up, gravity.right) * 4 / .pi).rounded())
    return heads[(eighths + 8) % 8]
  }

  /// In whole cells, whatever a broken sensor says.
  private static func bounded(_ value: Double, _ limit: Int) -> Int {
    Int(min(max(value, Double(-limit)), Double(limit)).rounded())
  }
}
