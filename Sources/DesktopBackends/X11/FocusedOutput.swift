// SPDX-License-Identifier: MIT

/// The output of the active window: the one that shows most of it.
///
/// A rotation moves the neighbouring outputs, and only afterwards the window manager moves the windows, if at all. A
/// window that shows on a neighbour meanwhile could cause the panel to rotate back, and so on without end. So a window
/// keeps the output that it had when the layout changed, until it is moved after the rearrangement.
struct FocusedOutput: Equatable {
  /// A lit output.
  struct Display: Equatable, Sendable {
    var name: String
    var rectangle: ScreenRectangle
  }

  /// Longer than window managers take to rearrange their windows; in nanoseconds.
  static let rearrangementTime: Int64 = 1_000_000_000

  private(set) var name: String?
  private var displays: [Display] = []
  private var window: UInt32?
  private var rectangle: ScreenRectangle?
  /// When the output was last determined, and when the layout last changed; in nanoseconds.
  private var decidedAt = Int64.min
  private var layoutChangedAt = Int64.min

  /// - Parameters:
  ///   - displays: the lit outputs; of two that mirror each other, the first has priority.
  ///   - now: nanoseconds, on any clock.
  mutating func updateLayout(_ displays: [Display], at now: Int64) {
    guard displays != self.displays else { return }
    self.displays = displays
    layoutChangedAt = now
    if !displays.contains(where: { $0.name == name }) { decide(at: now) }
  }

  /// - Parameter rectangle: `nil` if the window is not shown.
  mutating func updateWindow(_ window: UInt32?, at rectangle: ScreenRectangle?, now: Int64) {
    let isNew = window != self.window
    let hasMoved = rectangle != self.rectangle
    self.window = window
    self.rectangle = rectangle
    if isNew || hasMoved && !isBeingRearranged(at: now) { decide(at: now) }
  }

  private func isBeingRearranged(at now: Int64) -> Bool {
    decidedAt < layoutChangedAt && now < layoutChangedAt + Self.rearrangementTime
  }

  private mutating func decide(at now: Int64) {
    decidedAt = now
    name = rectangle.flatMap { Self.display(showing: $0, among: displays) }?.name
  }

  /// The first of those that show most of the rectangle; `nil` if none shows any of it.
  static func display(showing rectangle: ScreenRectangle, among displays: [Display]) -> Display? {
    let area = { (display: Display) in display.rectangle.commonArea(with: rectangle) }
    return displays.filter { area($0) > 0 }.max { area($0) < area($1) }
  }
}

extension RandRState {
  /// The lit outputs.
  /// - Parameter first: the output that has priority over outputs that mirror it.
  func displays(first: String?) -> [FocusedOutput.Display] {
    let all = connectors.compactMap { connector in
      self[crtc: connector.crtc].flatMap {
        $0.isLit ? FocusedOutput.Display(name: connector.name, rectangle: $0.rectangle) : nil
      }
    }
    return all.filter { $0.name == first } + all.filter { $0.name != first }
  }
}
