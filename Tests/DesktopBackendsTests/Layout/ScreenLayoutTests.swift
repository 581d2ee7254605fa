// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

/// The rotated display is always number 1, and every layout begins at 0,0.
@Suite("screen layout")
@MainActor
struct ScreenLayoutTests {
  static let panel = ScreenRectangle(x: 0, y: 0, width: 1280, height: 800)

  static func layout(_ rectangles: ScreenRectangle...) -> ScreenLayout {
    ScreenLayout(rectangles)
  }

  @Test func `the rectangle around nothing is empty`() {
    #expect(ScreenRectangle(around: []) == ScreenRectangle(x: 0, y: 0, width: 0, height: 0))
  }

  @Test func `a single panel swaps its sides`() {
    let rotated = Self.layout(Self.panel).resizing(1, width: 800, height: 1280)
    #expect(rotated == Self.layout(.init(x: 0, y: 0, width: 800, height: 1280)))
    #expect((rotated.width, rotated.height) == (800, 1280))
  }

  @Test func `a monitor on the right moves to the new edge`() {
    let monitor = ScreenRectangle(x: 1280, y: 0, width: 1024, height: 768)
    let rotated = Self.layout(Self.panel, monitor).resizing(1, width: 800, height: 1280)
    #expect(rotated[2] == monitor.moved(x: 800, y: 0))
    #expect((rotated.width, rotated.height) == (1824, 1280))
  }

  @Test func `a monitor below moves to the new edge`() {
    let monitor = ScreenRectangle(x: 0, y: 800, width: 1920, height: 1080)
    let rotated = Self.layout(Self.panel, monitor).resizing(1, width: 800, height: 1280)
    #expect(rotated[2] == monitor.moved(x: 0, y: 1280))
    #expect((rotated.width, rotated.height) == (1920, 2360))
  }

  @Test func `a monitor on the left or above stays`() {
    let monitor = ScreenRectangle(x: 0, y: 0, width: 1024, height: 768)
    let right = Self.layout(Self.panel.moved(x: 1024, y: 0), monitor).resizing(1, width: 800, height: 1280)
    #expect(right[2] == monitor)
    #expect(right[1] == .init(x: 1024, y: 0, width: 800, height: 1280))
    let below = Self.layout(Self.panel.moved(x: 0, y: 768), monitor).resizing(1, width: 800, height: 1280)
    #expect(below[2] == monitor)
    #expect(below[1] == .init(x: 0, y: 768, width: 800, height: 1280))
  }

  @Test func `each monitor of a chain follows`() {
    let near = ScreenRectangle(x: 1280, y: 0, width: 1024, height: 768)
    let far = ScreenRectangle(x: 2304, y: 100, width: 1920, height: 1080)
    let under = ScreenRectangle(x: 2304, y: 1180, width: 640, height: 480)
    let rotated = Self.layout(Self.panel, near, far, under).resizing(1, width: 800, height: 1280)
    #expect(rotated[2] == near.moved(x: 800, y: 0))
    #expect(rotated[3] == far.moved(x: 1824, y: 100))
    #expect(rotated[4] == under.moved(x: 1824, y: 1180))
  }

  @Test func `a mirror stays a mirror`() {
    let mirror = ScreenRectangle(x: 0, y: 0, width: 1024, height: 768)
    let rotated = Self.layout(Self.panel, mirror).resizing(1, width: 800, height: 1280)
    #expect(rotated[2] == mirror)
    #expect((rotated.width, rotated.height) == (1024, 1280))
  }

  @Test func `a monitor beside a mirrored pair overlaps neither`() throws {
    let mirror = Self.panel
    let monitor = ScreenRectangle(x: 1280, y: 0, width: 1024, height: 768)
    let rotated = Self.layout(Self.panel, mirror, monitor).resizing(1, width: 800, height: 1280)
    #expect(rotated[2] == mirror)
    #expect(rotated[3] == monitor)
  }

  @Test func `a monitor that would separate moves along the edge`() {
    let panel = ScreenRectangle(x: 0, y: 0, width: 800, height: 1280)
    let monitor = ScreenRectangle(x: 800, y: 1000, width: 1024, height: 768)
    let rotated = Self.layout(panel, monitor).resizing(1, width: 1280, height: 800)
    #expect(rotated[2] == monitor.moved(x: 1280, y: 32))
  }

  @Test func `monitors that would overlap move apart`() throws {
    let panel = ScreenRectangle(x: 0, y: 0, width: 800, height: 1280)
    let right = ScreenRectangle(x: 800, y: 0, width: 1920, height: 1080)
    let below = ScreenRectangle(x: 0, y: 1280, width: 1920, height: 1080)
    let rotated = Self.layout(panel, right, below).resizing(1, width: 1280, height: 800)
    let tiles = rotated.tiles
    #expect(!tiles[1].overlaps(tiles[2]))
    #expect(tiles[0].touches(tiles[1]) && tiles[0].touches(tiles[2]))
  }

  @Test func `a gap in the layout is kept`() {
    let monitor = ScreenRectangle(x: 1380, y: 0, width: 1024, height: 768)
    let rotated = Self.layout(Self.panel, monitor).resizing(1, width: 800, height: 1280)
    #expect(rotated[2] == monitor.moved(x: 900, y: 0))
  }

  @Test func `an overlap left by xrandr ends with the next rotation`() {
    // Rotated by autorotate and back by xrandr, which moves no neighbour.
    let monitor = ScreenRectangle(x: 800, y: 0, width: 1024, height: 768)
    let rotated = Self.layout(Self.panel, monitor).resizing(1, width: 800, height: 1280)
    #expect(rotated[2] == monitor)
    #expect(rotated[1]?.touches(monitor) == true)
  }

  @Test func `an unknown display changes nothing`() {
    let layout = Self.layout(Self.panel)
    #expect(layout.resizing(7, width: 1, height: 1) == layout)
  }
}

extension ScreenLayout {
  /// The first display is number 1.
  @MainActor subscript(number: Int) -> ScreenRectangle? { tiles.dropFirst(number - 1).first }

  /// The size of the smallest screen that contains all tiles.
  @MainActor var width: Int { tiles.map(\.maxX).max() ?? 0 }
  @MainActor var height: Int { tiles.map(\.maxY).max() ?? 0 }

  /// The layout in which one display has another size, and the others have made room.
  @MainActor func resizing(_ number: Int, width: Int, height: Int) -> Self {
    moving([number - 1: ScreenRectangle(x: 0, y: 0, width: width, height: height)])
  }
}
