// SPDX-License-Identifier: MIT

/// The output that the active window counts as being on: the one that shows most of it.
///
/// A turn moves the other outputs under the windows, and only then does the window manager move the
/// windows, or it does not. A window that would go from panel to neighbour by that, and thereby turn the
/// panel back, would turn it for ever. So where a window was when the layout changed, there it stays
/// until it is moved afterwards.
struct FocusPlace: Equatable {
  /// A lit output.
  struct Display: Equatable, Sendable {
    var name: String
    var rectangle: ScreenRectangle
  }

  /// Longer than window managers take to rearrange their windows; in nanoseconds.
  static let settling: Int64 = 1_000_000_000

  private(set) var output: String?
  private var displays: [Display] = []
  private var window: UInt32?
  private var rectangle: ScreenRectangle?
  /// Since when this window has been on its output, and the outputs where they are.
  private var decidedAt = Int64.min
  private var layoutChangedAt = Int64.min

  /// - Parameters:
  ///   - displays: of two that show the same, the first counts.
  ///   - now: nanoseconds, on any clock.
  mutating func lay(out displays: [Display], at now: Int64) {
    guard displays != self.displays else { return }
    self.displays = displays
    layoutChangedAt = now
    if !displays.contains(where: { $0.name == output }) { decide(at: now) }
  }

  /// - Parameter rectangle: `nil` if the window is not shown.
  mutating func show(_ window: UInt32?, at rectangle: ScreenRectangle?, now: Int64) {
    let isNew = window != self.window
    let hasMoved = rectangle != self.rectangle
    self.window = window
    self.rectangle = rectangle
    if isNew || hasMoved && !isBeingRearranged(at: now) { decide(at: now) }
  }

  private func isBeingRearranged(at now: Int64) -> Bool {
    decidedAt < layoutChangedAt && now < layoutChangedAt + Self.settling
  }

  private mutating func decide(at now: Int64) {
    decidedAt = now
    output = rectangle.flatMap { Self.display(showing: $0, among: displays) }?.name
  }

  /// The first of those that show most of it; `nil` if none shows any of it.
  static func display(showing rectangle: ScreenRectangle, among displays: [Display]) -> Display? {
    var best: Display?
    var most = 0
    for display in displays {
      let area = display.rectangle.commonArea(with: rectangle)
      if area > most { (best, most) = (display, area) }
    }
    return best
  }
}

extension ScreenRectangle {
  /// Pixels that both cover.
  func commonArea(with other: Self) -> Int {
    let width = min(maxX, other.maxX) - max(x, other.x)
    let height = min(maxY, other.maxY) - max(y, other.y)
    return width > 0 && height > 0 ? width * height : 0
  }
}

extension RandRState {
  /// The lit outputs.
  /// - Parameter first: the one that counts where several show the same.
  func displays(first: String?) -> [FocusPlace.Display] {
    let all = connectors.compactMap { connector in
      self[crtc: connector.crtc].flatMap {
        $0.isLit ? FocusPlace.Display(name: connector.name, rectangle: $0.rectangle) : nil
      }
    }
    return all.filter { $0.name == first } + all.filter { $0.name != first }
  }
}
